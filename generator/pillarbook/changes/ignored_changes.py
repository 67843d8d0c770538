"""Prepares the rules for ignored changes, with a time limit for regular expressions."""

from collections.abc import Callable, Sequence

from pillarbook.changes.comparison import Sides
from pillarbook.compare.ignore import Ignore
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.supervise.timed_match import TimedMatch

NOT_YET = (
    "`changes: ignore` differs between base and head; the rules of the base apply until the change"
    " is merged"
)


def make_ignore(
    rules: Sequence[IgnoreRule], notes: Sequence[str] = (), clean: Callable[[str], str] = str
) -> Ignore:
    """Return an object that finds the rule which ignores a change; ``clean`` is for its keys."""
    return Ignore(rules, TimedMatch().fits, notes, clean)


def ignore_between(sides: Sides) -> Ignore:
    """Return the same for two sides, with the rules of the base.

    A head must not be able to hide its own changes.
    """
    rules, of_head = (side.settings.ignore for side in sides.declared)
    notes = () if rules == of_head else (NOT_YET,)
    return make_ignore(rules, notes, sides.head.shown.clean_name)
