"""Two saved results, compared."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pillarbook.changes.ignored_changes import make_ignore
from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.compare.result_reader import SavedResult, read_result
from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.inventory.declared_clock import describe_clocks
from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.redact.tokens import Tokens
from pillarbook.session.asked_minions import describe_asked, matches_globs
from pillarbook.session.run_options import RunOptions

NO_STATES = "saved results have no states, so changes of states are not compared"
UNKNOWN = (
    "secrets are not compared: both results need the same PILLARBOOK_TOKEN_KEY, and versions of"
    " pillarbook that compute tokens in the same way"
)


def compare_saved(
    base: Path, head: Path, *, rules: Sequence[IgnoreRule] = (), globs: Sequence[str] = ()
) -> tuple[Diff, Tokens]:
    """Return the comparison of two saved results, and the tokens of its secrets.

    All minions are compared if ``globs`` is empty.

    Raises:
        ResultError: One of them is not a saved result.
    """
    tokens = Tokens()
    sides = [read_result(file, tokens.secret_id) for file in (base, head)]
    keys = {side.head.token_key for side in sides}
    if len(keys) > 1 or None in keys:
        tokens = Tokens()
        tokens.are_comparable = False
        sides = [read_result(file, tokens.secret_id) for file in (base, head)]
    notes = (*describe_asked(RunOptions(minions=tuple(globs))), NO_STATES)
    both = dict.fromkeys((*sides[0].pillars, *sides[1].pillars))
    names = [name for name in both if matches_globs(name, globs)]
    builder = DiffBuilder(make_ignore(rules))
    for name in names:
        builder.add(sides[0].pillars.get(name), sides[1].pillars.get(name))
    found = [
        (word, one)
        for word, side in zip(("base", "head"), sides, strict=True)
        for one in side.diagnostics
        if not one.minions or not set(names).isdisjoint(one.minions)
    ]
    # A result of an earlier version has this only in its diagnostics.
    codes = {one.code for side in sides for one in side.diagnostics}
    if READS_CLOCK in codes or any(side.reads_clock for side in sides):
        notes += (describe_clocks(side.head.clock for side in sides),)
    diff = builder.finish(str(base), str(head), found, notes)
    if not tokens.are_comparable and any(map(_has_secret, sides)):
        diff = replace(diff, not_compared=(UNKNOWN,))
    return diff, tokens


def _has_secret(side: SavedResult) -> bool:
    return any(
        isinstance(leaf.value, Redacted)
        for pillar in side.pillars.values()
        for leaf in pillar.leaves
    )
