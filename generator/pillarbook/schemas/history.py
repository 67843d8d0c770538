"""The schema of what one build changed."""

from pillarbook.schemas.comparisons import RESULTS
from pillarbook.schemas.pieces import (
    Schema,
    change_fields,
    flag,
    listed,
    number,
    numbers,
    or_null,
    record,
    schema_mark,
    text,
    texts,
    use,
    word,
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
        {
            "schema": schema_mark("pillarbook.history/1"),
            "pillarbook": text("The version of pillarbook."),
            "number": number("The number of the build, from 1."),
            "time": text("When it was built, in UTC."),
            "commit": or_null(record("A commit.", commit), "The checked-out commit, or null."),
            "not_compared": or_null(text("Why it was not compared, or null.")),
            "start": flag("Whether it is the first build."),
            "minions": texts("The minions that it affects."),
            "results": listed(
                "Minions that are new, removed or the like.",
                record("A result.", {"outcome": word("The result.", *RESULTS), "group": group}),
            ),
            "commits": listed(
                "The commits that are a cause.",
                record(
                    "A commit.",
                    {
                        "id": text("Its id."),
                        "date": or_null(text("The day on which its author wrote it.")),
                        "author": or_null(text("Its author, if the report names authors.")),
                    },
                ),
            ),
            "changes": listed(
                "The changes.",
                record("A change.", change, optional=("before", "after", "from", "to")),
            ),
            "affected": listed(
                "Groups of minions.",
                record(
                    "A group.",
                    {"who": text("Words for it."), "members": listed("Its minions.", ranges)},
                ),
            ),
            "left_out": number("Number of further changes."),
            "token_key": or_null(text("An id of the key for its tokens; null for a random key.")),
            "seal": or_null(text("Shows that nobody without that key has changed it; or null.")),
        },
    )
