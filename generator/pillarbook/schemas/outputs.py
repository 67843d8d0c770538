"""The schemas of what commands print about one side."""

from collections.abc import Mapping

from pillarbook.schemas.pieces import (
    OUTCOMES,
    Schema,
    finding_fields,
    flag,
    line_fields,
    listed,
    mapping,
    number,
    or_null,
    record,
    records,
    schema_mark,
    text,
    texts,
    use,
    word,
)


def describe_compile() -> Schema:
    """Return the schema of ``compile``, and of a minion's file beside its page."""
    return mapping(
        "Pillars by minion id.",
        {"description": "The minion's pillar.", "$ref": "#/$defs/value"},
    )


def describe_lowstate() -> Schema:
    """Return the schema of ``compile --lowstate``."""
    states = record(
        "The compiled states of a minion.",
        ("chunks", "errors", "$raises"),
        chunks=listed(
            "The states in the order in which Salt runs them.",
            {
                "description": "A state with its arguments.",
                "$ref": "#/$defs/value",
            },
        ),
        errors=listed("Errors, as Salt words them.", {"$ref": "#/$defs/value"}),
        **{"$raises": text("Salt stops compiling this minion: the reason.")},
    )
    return mapping("Compiled states by minion id.", states)


def describe_answers() -> Schema:
    """Return the schema of ``answers list``."""
    place = record(
        "A line that asks.",
        **line_fields(),
        minions=number("For how many minions it asks."),
        reached=flag(
            "Whether a render stops there; else it stops earlier, and may never come to it."
        ),
    )
    answer = record(
        "A question without an answer.",
        kind=word("What asks.", "function", "clock", "ext_pillar"),
        name=or_null(
            text("The function or external pillar; null for the clock, and if it is computed.")
        ),
        minions=texts("The minions that lack the answer."),
        asked=number("How often it is asked: once for each minion and each reached line."),
        values=number("How many values of the pillars are unknown without it."),
        places=listed("The lines that ask.", place),
        declare=texts(
            "The lines that declare an answer, below `pillarbook:`; `...` is the answer."
        ),
        help=or_null(text("What else would answer it, or null.")),
    )
    return record(
        "What the tree asks and only a live Salt can answer.",
        schema=schema_mark("pillarbook.answers/1"),
        minions=number("Number of minions of the fleet."),
        answers=listed("The questions; the answer that most minions lack is first.", answer),
    )


def describe_check() -> Schema:
    """Return the schema of ``check``."""
    return record(
        "All findings, worst first.",
        schema=schema_mark("pillarbook.check/1"),
        ignored=number("Number of findings that the configuration ignores."),
        diagnostics=listed("The findings.", FINDING),
    )


FINDING = record(
    "An error, warning or note.",
    ("caused_by",),
    **finding_fields(),
    path=or_null(use("path", "The keys that the finding is about, or null.")),
    minions=texts("The affected minions; empty if it is about the tree itself."),
    help=or_null(text("What to do, or null.")),
    related=records("Other places that are part of the finding.", "A place.", **line_fields()),
    caused_by=number("The index in `diagnostics` of the error that this follows from."),
)


_TARGET: Mapping[str, Schema] = {
    "target": text("The target as the top file has it."),
    "match": text("The kind of target: `compound`, `glob`, `grain`, ..."),
    "saltenv": text("The environment of the target."),
    "file": text("The top file."),
    "line": or_null(number("The line in it.")),
}
TARGET_FIELDS: Mapping[str, Schema] = {
    **_TARGET,
    "sls": texts("The SLS names that it gives."),
}


def describe_explain() -> Schema:
    """Return the schema of ``explain MINION``."""
    target = record(
        "A target that was tested.",
        **TARGET_FIELDS,
        matched=flag("Whether it matches the minion."),
    )
    return record(
        "Where each value of a minion is set.",
        schema=schema_mark("pillarbook.explain/1"),
        minion=text("The minion's id."),
        outcome=word("The result of compiling it.", *OUTCOMES),
        unknown=number("Number of values that are unknown."),
        absent=number("Number of SLS files that do not exist."),
        faults=texts("Errors with file and line."),
        targets=listed("Every target that was tested.", target),
        values=listed("The values.", {"$ref": "#/$defs/set_value"}),
    )


def describe_get() -> Schema:
    """Return the schema of ``get``."""
    return record(
        "One key of all minions.",
        schema=schema_mark("pillarbook.get/1"),
        key=text("The given key."),
        read_as=text("The key that was found, for a key with dots; else the given key."),
        minions=mapping(
            "The values by minion id.",
            listed(
                "The values at or below the key; empty if there are none.",
                {"$ref": "#/$defs/set_value"},
            ),
        ),
    )


def describe_sls() -> Schema:
    """Return the schema of ``explain --sls``."""
    return record(
        "Who gets an SLS file, and the result of its lines.",
        schema=schema_mark("pillarbook.sls/1"),
        files=listed("The files with this name; several environments may have one.", _FILE),
    )


_WAY = record(
    "A target that leads to the file.",
    **_TARGET,
    way=texts("The SLS files from what the target gives to this one."),
    minions=texts("The minions that get it by this target."),
)
_LINE = record(
    "A line, or some lines of which nothing is shown.",
    line=number("The line."),
    last=number("The last line of those that are not shown; else the same line."),
    text=texts("The parts of its text; between them something is hidden."),
    minions=number("For how many minions a value of it is in the pillar."),
    overridden=records(
        "Where its values are overridden.",
        "A line that overrides a value.",
        **line_fields(),
        minions=texts("The minions for which it does."),
    ),
    never=or_null(text("Why no minion has a value of it: `never rendered` and the like, or null.")),
)
_FILE = record(
    "A file.",
    file=text("The file."),
    saltenv=text("The environment that it belongs to first."),
    name=text("The name of the SLS."),
    minions=texts("The minions that get it."),
    targets=listed("The targets that lead to it.", _WAY),
    sets=listed("The top-level keys that it sets.", {"$ref": "#/$defs/value"}),
    diagnostics=records(
        "The findings in it, worst first.",
        "A finding.",
        code=text("The rule."),
        severity=text("`error`, `warning` or `note`."),
        message=text("What is wrong."),
        line=or_null(number("The line, or null.")),
        minions=texts("The affected minions."),
        help=or_null(text("What to do, or null.")),
    ),
    reads=records(
        "What its template reads.",
        "A read.",
        kind=text("`id`, `grain`, `pillar`, `option` or `function`."),
        name=text("The key, or the name of the function; empty for all."),
    ),
    imports=texts("The files that it imports."),
    imported_by=texts("The files that import it."),
    withheld=or_null(text("Why its text is not shown, or null.")),
    rendered=or_null(
        number("The percentage of lines that are rendered for some minion; null if unknown.")
    ),
    lines=listed("Its lines.", _LINE),
)


def describe_timing() -> Schema:
    """Return the schema of ``--timing=json``."""

    def seconds(description: str) -> Schema:
        return {"description": description, "type": "number", "minimum": 0}

    return record(
        "How long the steps of a command took, and how much memory it had.",
        schema=schema_mark("pillarbook.timing/1"),
        seconds=seconds("Time since the command line was read."),
        steps=record(
            "Seconds of each step.",
            loading=seconds("To load the program."),
            reading=seconds("To read the configuration and the inventory."),
            compiling=seconds("To compile."),
            writing=seconds("For everything after that."),
        ),
        processor_seconds=seconds("Processor time of the command and of its processes."),
        peak_memory=number("Most memory that the command had, in bytes."),
        peak_memory_of_a_worker=number("The same of the largest of its processes."),
    )
