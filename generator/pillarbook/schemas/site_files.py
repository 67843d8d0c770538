"""The schemas of files: of the site, but for the comparison of environments, and of a history."""

from pillarbook.schemas.comparisons import RESULTS
from pillarbook.schemas.pieces import (
    Schema,
    change_fields,
    flag,
    listed,
    mapping,
    number,
    numbers,
    or_null,
    origin_fields,
    record,
    records,
    schema_mark,
    text,
    texts,
    use,
    word,
)


def describe_minion() -> Schema:
    """Return the schema of the file beside a minion's page."""
    return {"description": "The pillar of one minion.", "$ref": "#/$defs/value"}


def describe_secrets() -> Schema:
    """Return the schema of ``secrets.json``."""
    return record(
        "All secrets and all who can read them; no values.",
        schema=schema_mark("pillarbook.secrets/2"),
        secrets=listed("The secrets.", _SECRET),
        readers=records(
            "Sets of minions that read the same secrets.",
            "Minions that read the same secrets.",
            minions=texts("The minions."),
            secrets=numbers("Indexes in `secrets`."),
        ),
    )


_AGE = record(
    "When the lines of a value last changed.",
    status=word("Whether it is committed.", "committed", "changed", "untracked"),
    commit=or_null(text("The commit, or null.")),
    date=or_null(text("The author date of the commit (day), or null.")),
    at_least=flag("Whether the lines may be older: the history ends there."),
)
_FORGEABLE = record(
    "How a minion could make the target match.",
    grains=texts("The grains that it would set."),
    only=text("The minions that could, in the words of the target; empty for all minions."),
)
_SECRET = record(
    "A secret: a key path with its value.",
    path=use("path", "The keys that lead to it."),
    token=text("Its token: equal for one source."),
    minions=number("Number of minions that read it."),
    sources=records(
        "The places that set it.",
        "A place that sets it.",
        **origin_fields(),
        reason=text("Why it is secret."),
        minions=number("Number of minions that get it from there."),
        changed=or_null(_AGE, "When its lines last changed; null without git."),
    ),
    ways=records(
        "How minions get it.",
        "A way to minions.",
        kind=word(
            "What gives it.",
            "target",
            "external pillar",
            "inventory",
            "master options",
            "template",
        ),
        name=text("The external pillar's name, else empty."),
        targets=texts("The target; some of them if a template writes them."),
        match=text("Its matcher."),
        saltenv=text("Its environment."),
        file=or_null(text("The top file, or null.")),
        line=or_null(number("The target's line, or null.")),
        sls=texts("The SLS files from the target to the one with the value."),
        forgeable=or_null(_FORGEABLE, "How a minion could make the target match, or null."),
        reads=records(
            "Files on the way that read grains.",
            "A file that reads grains.",
            file=text("The file."),
            grains=texts("The grains; `*` for all, empty if unknown."),
        ),
        minions=number("Number of minions that get the secret this way."),
    ),
    readers=numbers("Indexes in `readers`."),
)


def describe_report() -> Schema:
    """Return the schema of ``report.json``."""
    return record(
        "What a report is of, and what its run could not see.",
        schema=schema_mark("pillarbook.report/1"),
        site_name=text("The name of the report."),
        commit=or_null(
            record(
                "A commit.",
                id=text("Its id."),
                branch=or_null(text("Its branch; null if none is checked out.")),
                time=text("When it was made, in UTC."),
                modified=flag("Whether files of the report differ from it."),
            ),
            "The commit that is checked out; null outside of git.",
        ),
        time=text("When the report was made, in UTC."),
        pillarbook=text("The version of pillarbook."),
        salt=text("The release of Salt that its results are compared with."),
        minions=number("Number of minions."),
        inventory=texts("The files that declare the minions."),
        guessed=number("Number of minions that the inventory marks as guessed."),
        outcomes=mapping("Number of minions by outcome.", {"type": "integer"}),
        environments=texts("Names of the environments that are compared."),
        not_trusted=texts("Settings that have no effect without trust, in words."),
        not_decrypted=number("Number of values that stay encrypted."),
    )


def describe_history() -> Schema:
    """Return the schema of an entry of a history."""
    group = number("The index of its minions in `affected`.")
    fields = change_fields()
    told = {name: fields[name] for name in ("kind", "before", "after", "from", "to")}
    commit = {
        "id": text("Its id."),
        "time": text("When it was made, in UTC."),
        "modified": flag("Whether files differ from it."),
    }
    change = {
        "path": use("path", "The keys that lead to it."),
        **told,
        "positions": numbers("Which places of the path are positions in a list."),
        "secrets": or_null(text("What is known of its two secrets, or null.")),
        "variants": number("In how many pairs of values it comes; of more than one, none is kept."),
        "long": flag("Whether its values are too long to be kept."),
        "group": group,
        "commits": numbers("The indexes of the commits that are its cause."),
    }
    ranges = {**numbers("The first and the last index in `minions`."), "minItems": 2, "maxItems": 2}
    return record(
        "What one build changed since the one before.",
        schema=schema_mark("pillarbook.history/1"),
        pillarbook=text("The version of pillarbook."),
        number=number("The number of the build, from 1."),
        time=text("When it was built, in UTC."),
        commit=or_null(record("A commit.", **commit), "The checked-out commit, or null."),
        not_compared=or_null(text("Why it was not compared, or null.")),
        start=flag("Whether it is the first build."),
        minions=texts("The minions that it affects."),
        results=records(
            "Minions that are new, removed or the like.",
            "A result.",
            outcome=word("The result.", *RESULTS),
            group=group,
        ),
        commits=records(
            "The commits that are a cause.",
            "A commit.",
            id=text("Its id."),
            date=or_null(text("The day on which its author wrote it.")),
            author=or_null(text("Its author, if the report names authors.")),
        ),
        changes=records("The changes.", "A change.", ("before", "after", "from", "to"), **change),
        affected=records(
            "Groups of minions.",
            "A group.",
            who=text("Words for it."),
            members=listed("Its minions.", ranges),
        ),
        left_out=number("Number of further changes."),
        token_key=or_null(text("An id of the key for its tokens; null for a random key.")),
        seal=or_null(text("Shows that nobody without that key has changed it; or null.")),
    )
