"""Opens the rules for changes that are noise, with a guard over their regular expressions.

An expression may take for ever over a text that somebody made for it. So each match has a limit of
processor time, and an expression one for all its matches; what is beyond counts as no match.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pillarbook.book.watch import Watch
from pillarbook.compare.ignore import Ignore, fits_whole
from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.errors import LimitExceeded
from pillarbook.inventory.change_settings import IgnoreRule

MATCH_SECONDS = 1.0
"""Processor time of one match."""
ALL_SECONDS = 10.0
"""Processor time of all matches of one expression."""


@contextmanager
def open_ignore(rules: Sequence[IgnoreRule]) -> Iterator[Ignore]:
    """Give what says which changes are ignored.

    Args:
        rules: The rules of the configuration.
    """
    watch = Watch(Limits(seconds=MATCH_SECONDS))
    try:
        yield Ignore(rules, _Guarded(watch).fits)
    finally:
        watch.close()


class _Guarded:
    """Matches expressions within limits."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._spent: dict[re.Pattern[str], float] = {}

    def fits(self, pattern: re.Pattern[str], text: str) -> bool | None:
        """Say whether a text fits an expression as a whole; None where that takes too long."""
        spent = self._spent.get(pattern, 0.0)
        if spent > ALL_SECONDS:
            return None
        begin = time.process_time()
        try:
            with self._watch(pattern.pattern):
                return fits_whole(pattern, text)
        except LimitExceeded:
            return None
        finally:
            self._spent[pattern] = spent + time.process_time() - begin
