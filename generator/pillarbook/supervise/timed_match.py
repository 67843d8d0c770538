"""Matches regular expressions of the configuration with a time limit.

A text can be made so that an expression takes forever, and a tree that somebody else wrote may have
both. So each match has a limit of processor time, and each expression has a limit for all its
matches; after that, it does not match.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.supervise.render_limits import Watch

MATCH_SECONDS = 1.0
"""Processor time of one match."""
ALL_SECONDS = 10.0
"""Processor time of all matches of one expression."""
# To set the limits takes a hundred times as long as a usual match. With two such signs, none of
# them for a group, a match takes at most as many steps as the cube of the text's length.
MANY_WAYS = re.compile(r"\)[*+{]|(?:[*+?{|][^*+?{|]*){3}", re.DOTALL)
"""In an expression that may match a text in many ways."""
SHORT_TEXT = 256
"""The longest text for which another expression needs no limit."""


class TimedMatch:
    """Matches expressions within the time limits."""

    def __init__(self) -> None:
        # By expression, so that a slow one does not use up the time of the others.
        self._spent: defaultdict[re.Pattern[str], float] = defaultdict(float)

    def fits(self, pattern: re.Pattern[str], text: str) -> bool | None:
        """Say whether an expression matches a whole text; None if that takes too long."""
        return self._match(pattern, pattern.fullmatch, text)

    def finds(self, pattern: re.Pattern[str], text: str) -> bool | None:
        """Say whether an expression matches a part of a text; None if that takes too long."""
        return self._match(pattern, pattern.search, text)

    def _match(
        self, pattern: re.Pattern[str], match: Callable[[str], object], text: str
    ) -> bool | None:
        if len(text) <= SHORT_TEXT and not MANY_WAYS.search(pattern.pattern):
            return match(text) is not None
        if self._spent[pattern] > ALL_SECONDS:
            return None
        begin = time.process_time()
        try:
            with closing(Watch(Limits(seconds=MATCH_SECONDS))) as watch, watch(pattern.pattern):
                return match(text) is not None
        except LimitExceeded:
            return None
        finally:
            self._spent[pattern] += time.process_time() - begin
