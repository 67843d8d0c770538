"""The schemas of comparisons: between revisions, environments, and with a live master."""

from pillarbook.schemas.outputs import FINDING, TARGET_FIELDS
from pillarbook.schemas.pieces import (
    OF_SOME_KINDS,
    OUTCOMES,
    Schema,
    change_fields,
    finding_fields,
    flag,
    listed,
    mapping,
    number,
    numbers,
    or_null,
    place_fields,
    record,
    records,
    schema_mark,
    text,
    texts,
    use,
    word,
)

RESULTS = (
    *("newly failing", "empty", "still failing", "gone"),
    *("new", "fixed", "changed", "unchanged"),
)
"""The results of a minion in a comparison."""
SIDE_OUTCOMES = (*OUTCOMES, "absent")


def _result_fields() -> dict[str, Schema]:
    return {
        "outcome": word("The result for the minion.", *RESULTS),
        "base": word("The outcome in the base.", *SIDE_OUTCOMES),
        "head": word("The outcome in the head.", *SIDE_OUTCOMES),
    }


def _acknowledged_fields() -> dict[str, Schema]:
    return {
        "change_id": or_null(text("The stable id of the change that it belongs to, or null.")),
        "acknowledged": or_null(
            word("Where that change is acknowledged; null if it is not.", "base", "itself")
        ),
    }


def describe_diff() -> Schema:
    """Return the schema of ``diff``."""
    return record(
        "What a change does to the minions.",
        schema=schema_mark("pillarbook.diff/1"),
        base=text("Name of the base."),
        head=text("Name of the head."),
        minions=mapping("The result of each minion by its id.", _DIFF_MINION),
        atoms=listed("The exact changes.", _ATOM),
        states=listed("The changes of states.", _STATE),
        diagnostics=listed("Findings of both sides.", _DIFF_FINDING),
        notes=texts("Remarks on the comparison as a whole."),
        unknown=number("Number of values that are unknown and not compared."),
        may_have_changed=listed(
            "The values that are unknown on both sides, with another source.", _MAYBE_CHANGED
        ),
        ignored=listed("The rules that ignore changes.", _IGNORED),
        idle=listed("Changed lines that change no value.", _IDLE),
    )


_NEW_FAULTS = texts("Errors, with file and line, of what failed before for other reasons only.")
_DIFF_MINION = record(
    "The result of a minion.",
    **_result_fields(),
    changed=flag("Whether a value changed other than by a new failure."),
    atoms=numbers("The ids of its changes."),
    new_faults=_NEW_FAULTS,
    lost_targets=records(
        "The targets of the base that gave it SLS files and no longer do.",
        "A target.",
        **TARGET_FIELDS,
    ),
    states=numbers("The ids of changes in its states."),
    states_outcome=or_null(
        record("The result of states.", **_result_fields(), new_faults=_NEW_FAULTS),
        "The result of its states; null if the change does not affect them.",
    ),
)
_ATOM = record(
    "One exact change.",
    (*OF_SOME_KINDS, "consequence_of"),
    id=number("A number from 1."),
    path=use("path", "The keys that lead to it."),
    **change_fields(),
    equality=or_null(word("Whether two secrets could not be compared.", "not told")),
    minions=texts("The affected minions."),
    because=listed("The lines that cause it.", {"$ref": "#/$defs/line"}),
    proven=flag("Whether test compiles confirm the cause."),
    bound=numbers("The ids of changes that must be reverted together with it."),
    ignored=or_null(number("The number of the rule that ignores it, or null.")),
    **_acknowledged_fields(),
    consequence_of=number("The index in `diagnostics` of the failure that it follows from."),
    states=numbers("The ids of changed states that it is a cause of."),
)
_STATE = record(
    "A change of a state.",
    id=number("A number from 1."),
    env=use("value", "The environment of the state's SLS."),
    sls=use("value", "The SLS that declares it."),
    state_id=use("value", "Its ID."),
    state=use("value", "The state module: `file`."),
    fun=use("value", "The function: `managed`."),
    name=use("value", "Its name."),
    kind=word("How it changes.", "added", "removed", "changed", "moved"),
    overtakes=flag("Whether its order relative to another state changes."),
    arguments=records(
        "Its changed arguments.",
        "A change of an argument.",
        OF_SOME_KINDS,
        path=use("path", "The path in the state's arguments."),
        **change_fields(),
    ),
    minions=texts("The affected minions."),
    atoms=numbers("The ids of the pillar changes that cause it."),
    files=texts("The files that cause it."),
    because=listed("The lines that cause it, if known.", {"$ref": "#/$defs/line"}),
    proven=flag("Whether test compiles confirm the cause."),
    **_acknowledged_fields(),
)
_DIFF_FINDING = record(
    "A finding of one side.",
    ("caused_by",),
    side=word("The side that it is about.", "base", "head"),
    **finding_fields(),
    minions=texts("The affected minions."),
    caused_by=number("The index in `diagnostics` of the error that this follows from."),
)
_MAYBE_CHANGED = record(
    "A value that is unknown on both sides, and comes from another source.",
    path=use("path", "The keys that lead to it."),
    before=use("value", "Its source in the base."),
    after=use("value", "Its source in the head."),
    minions=texts("The minions that have it."),
)
_IGNORED = record(
    "A rule under `changes: ignore`.",
    rule=number("Its number, from 1."),
    keys=texts("Its key patterns."),
    atoms=number("Number of changes that it ignores."),
    minions=number("Number of minions with these changes."),
)
_IDLE = record(
    "A changed line that changes no value.",
    file=text("The file."),
    line=or_null(number("The line.")),
    side=word("The side that has the line.", "base", "head"),
    why=text("Why, in a few words; empty if unknown."),
)


def describe_environments() -> Schema:
    """Return the schema of the file beside the page of two environments."""
    any_position = record(
        "Any position in a list.",
        **{"$any": {"description": "Always this word.", "const": "position"}},
    )
    key = {"anyOf": [any_position, {"$ref": "#/$defs/value"}]}
    change = record(
        "A difference.",
        OF_SOME_KINDS,
        path=listed("The keys that lead to it.", key),
        **change_fields(),
        group=number("The index in `groups` of the affected minions."),
    )
    side = record(
        "An environment.",
        name=text("Its name."),
        is_pillarenv=flag("False for a named set of master options."),
        has_top=flag("Whether it has a top file."),
    )
    return record(
        "All differences between two environments.",
        schema=schema_mark("pillarbook.environments/1"),
        base={**side, "description": "The first environment."},
        head={**side, "description": "The other environment."},
        minions=mapping(
            "The result of each minion by its id.",
            record(
                "The result of a minion.",
                **(_result_fields() | {"outcome": text("The result for the minion.")}),
            ),
        ),
        changes=listed("The differences.", change),
        groups=listed("Lists of minion ids.", {"type": "array", "items": {"type": "string"}}),
    )


def describe_result() -> Schema:
    """Return the schema of a saved result."""
    secret: Schema = {
        "description": "A secret: reason and token; of what was opened, also a token by its place.",
        "type": "array",
        "items": {"type": "string"},
        "minItems": 2,
        "maxItems": 3,
    }
    given: dict[str, Schema] = {
        "value": {"description": "The value, if it is shown.", "$ref": "#/$defs/value"},
        "secret": secret,
    }
    origin = {
        "description": "An index in `places`, and the value that was given there.",
        "type": "array",
        "prefixItems": [
            {"type": "integer", "minimum": 0},
            record("The value.", ("value", "secret"), **given),
        ],
        "minItems": 2,
        "items": False,
    }
    leaf = record(
        "A scalar, an empty mapping or an empty list.",
        ("value", "secret"),
        **given,
        origins=listed("The places that set it, oldest first.", origin),
    )
    return record(
        "A saved result, for `pillarbook diff`.",
        schema=schema_mark("pillarbook.result/2"),
        label=text("The name of the report."),
        token_key=or_null(text("An id of the key for its tokens; null for a random key.")),
        clock=or_null(
            record(
                "A declared time.",
                time=text("The time, in UTC."),
                source=text("The option or file that declares it."),
            ),
            "The time of the compile, or null.",
        ),
        minions=mapping("The minions by id.", _SAVED_MINION),
        parts=records(
            "Values of top-level keys; minions share them.",
            "The value of a top-level key.",
            key=use("value", "The key."),
            shape=use("value", "The value, with null for every scalar."),
            leaves=listed("The scalars in order.", leaf),
        ),
        places=listed(
            "File, line, SLS and environment of origins.",
            {
                "type": "array",
                "items": {"type": ["string", "integer", "null"]},
                "minItems": 4,
                "maxItems": 4,
            },
        ),
        reads_clock=flag("Whether a template used the time."),
        diagnostics=listed("The findings.", FINDING),
    )


_SAVED_MINION = record(
    "A minion.",
    outcome=word("The result of compiling it.", *OUTCOMES),
    raises=or_null(text("Why Salt stops compiling, or null.")),
    errors=texts("Salt's `_errors`."),
    faults=texts("Errors with file and line."),
    pillarenv=or_null(text("Its pillarenv, or null.")),
    saltenv=or_null(text("Its saltenv, or null.")),
    parts=numbers("Indexes in `parts`, in the order of its keys."),
)


def describe_verify() -> Schema:
    """Return the schema of ``verify``."""
    return record(
        "How the compiled pillars compare with a dump of a live master.",
        schema=schema_mark("pillarbook.verify/1"),
        dump=text("The dump's name."),
        result=word("The result.", "equal", "different", "not compared"),
        compared=number("Number of minions that were compared."),
        equal=number("Number of minions that are equal."),
        not_compared=mapping(
            "Number of values that were not compared, by reason.", {"type": "integer"}
        ),
        not_answered=mapping(
            "Minions of the dump without pillar, with the reason.", {"type": "string"}
        ),
        not_in_dump=texts("Minions that are missing in the dump."),
        not_in_inventory=texts("Minions of the dump that are not declared."),
        lost=number("Number of answers that Salt printed as `{}`."),
        trials=number("Number of test compiles with another declaration."),
        unfinished=number("Number of minions for which not everything could be tested."),
        minions=mapping("The minions that differ, by id.", _DIFFERING),
        why=listed("The reasons.", _REASON),
    )


_DIFFERING = record(
    "A minion that differs.",
    outcome=word("The result of compiling it.", *OUTCOMES),
    raises=or_null(text("Why there is no pillar here, or null.")),
    differences=records(
        "What differs.",
        "A difference.",
        ("here", "dump"),
        path=use("path", "The keys that lead to it."),
        kind=word("How it differs.", "only here", "only in the dump", "different"),
        here=use("value", "The value here, if there is one."),
        dump=use("value", "The value in the dump, if there is one."),
        **place_fields(),
    ),
    why=numbers("The ids of the reasons, most certain first."),
)
_REASON = record(
    "A reason.",
    id=number("Its number."),
    cause=text("What kind of reason: `declaration`, `function`, or a rule, say."),
    certainty=word("How sure it is.", "proven", "likely", "possible"),
    message=text("The reason as a sentence."),
    changes=records(
        "What to declare instead.",
        "A declaration to change.",
        ("declared", "value", "other"),
        what=word("What to change.", "grain", "pillarenv", "saltenv", "pillar"),
        path=use("path", "The keys of a grain."),
        declared=use("value", "The declared value, if there is one."),
        value=use("value", "The value that it needs, if it needs one."),
        other=flag("True if any other text would do."),
    ),
    at=or_null(text("File and line to look at, or null.")),
    minions=texts("The minions with this reason."),
)
