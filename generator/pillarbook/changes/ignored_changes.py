"""Prepares the rules for ignored changes, with a time limit for regular expressions.

A text can be made so that an expression takes forever. So each match has a limit of processor time,
and each expression has a limit for all its matches; after that, it does not match.
"""

import re
import time
from collections.abc import Sequence
from contextlib import closing

from pillarbook.changes.comparison import Sides
from pillarbook.compare.ignore import Ignore, fits_whole
from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.supervise.render_limits import Watch

MATCH_SECONDS = 1.0
"""Processor time of one match."""
ALL_SECONDS = 10.0
"""Processor time of all matches of one expression."""
NOT_YET = (
    "`changes: ignore` differs between base and head; the rules of the base apply until the change"
    " is merged"
)


def make_ignore(rules: Sequence[IgnoreRule], notes: Sequence[str] = ()) -> Ignore:
    """Return an object that finds the rule which ignores a change."""
    return Ignore(rules, _Guarded().fits, notes)


def ignore_between(sides: Sides) -> Ignore:
    """Return the same for two sides, with the rules of the base.

    A head must not be able to hide its own changes.
    """
    rules, of_head = (side.settings.ignore for side in sides.declared)
    return make_ignore(rules, () if rules == of_head else (NOT_YET,))


class _Guarded:
    """Matches expressions within the time limits."""

    def __init__(self) -> None:
        # By expression, so that a slow one does not use up the time of the others.
        self._spent: dict[re.Pattern[str], float] = {}

    def fits(self, pattern: re.Pattern[str], text: str) -> bool | None:
        """Say whether an expression matches a whole text; None if that takes too long."""
        spent = self._spent.get(pattern, 0.0)
        if spent > ALL_SECONDS:
            return None
        begin = time.process_time()
        try:
            with (
                closing(Watch(Limits(seconds=MATCH_SECONDS))) as watch,
                watch(pattern.pattern),
            ):
                return fits_whole(pattern, text)
        except LimitExceeded:
            return None
        finally:
            self._spent[pattern] = spent + time.process_time() - begin
