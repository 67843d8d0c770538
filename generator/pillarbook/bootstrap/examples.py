"""Texts that match a pattern: an id for ``web*``, a value for a regular expression."""

import fnmatch
import re
from collections.abc import Iterator

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.supervise.render_limits import Watch

MAX_TRIED = 60
"""Numbers that are tried to make an id that is not taken."""
LIMITS = Limits(seconds=0.5)
"""What the trial of one pattern may take."""
MAX_LENGTH = 250
"""Characters of a text that is made up, as many as an id may have."""
_CLASS = re.compile(r"\[!?\]?[^\]]*\]")
_SIGNS = "1a" + "".join(map(chr, range(33, 127)))
_BOUNDED = re.compile(r"\{(\d+)(?:,\d*)?\}")
_NESTED = re.compile(r"[*+}]\)?[*+{]|\([^()]*[*+][^()]*\)[*+{]")
_ESCAPES = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}
_IGNORED_ESCAPES = frozenset("bBAZz")


def glob_examples(pattern: str) -> Iterator[str]:
    """Yield texts that match a glob, the plainest first.

    ``web*`` gives ``web1``, ``web2`` and so on; ``*.example.com`` gives ``minion1.example.com``.
    """
    for number in range(1, MAX_TRIED):
        text = _fill_glob(pattern, str(number))
        if len(text) <= MAX_LENGTH and fnmatch.fnmatchcase(text, pattern):
            yield text
        if text == _fill_glob(pattern, str(number + 1)):
            return


def _fill_glob(pattern: str, number: str) -> str:
    pattern = _CLASS.sub(_pick_of_class, pattern)
    parts = re.split(r"\*+", pattern)
    text = parts[0]
    for at, part in enumerate(parts[1:], 1):
        is_last = at == len(parts) - 1
        text += _fill_star(text, part, number, is_last=is_last) + part
    return text.replace("?", number[-1])


def _fill_star(before: str, behind: str, number: str, *, is_last: bool) -> str:
    """Return what a star is to stand for between two texts."""
    if not before:
        starts_plainly = behind[:1].isalnum()
        return "" if starts_plainly and not is_last else f"minion{number}"
    if is_last and not behind:
        return "example.com" if before.endswith(".") and not before[:-1].isdigit() else number
    return number if before[-1:] in "-_." or behind[:1] in "-_." else ""


def _pick_of_class(found: re.Match[str]) -> str:
    """Return a sign of a glob's class, a plain one where there is one."""
    return next((sign for sign in _SIGNS if fnmatch.fnmatchcase(sign, found[0])), "1")


def pcre_example(pattern: str) -> str | None:
    """Return a text that a simple regular expression matches from its start; else None."""
    if _NESTED.search(pattern) or len(pattern) > MAX_LENGTH:
        return None  # it might take without end to try
    try:
        text = _Sampler(pattern).sample()
        matched = _matches(pattern, text)
    except (re.error, ValueError, OverflowError, RecursionError, LimitExceeded):
        return None
    return text if matched and text and len(text) <= MAX_LENGTH else None


def _matches(pattern: str, text: str) -> bool:
    """Say whether a pattern matches a text from its start, unless that exceeds a limit."""
    watch = Watch(LIMITS)
    try:
        with watch(pattern):
            return re.match(pattern, text) is not None
    finally:
        watch.close()


class _Sampler:
    """Reads a regular expression and writes the plainest text that it may match."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def sample(self) -> str:
        first: str | None = None
        text = ""
        while self._at < len(self._pattern):
            sign = self._pattern[self._at]
            if sign == ")":
                break
            if sign == "|":
                self._at += 1
                first = text if first is None else first
                text = ""
                continue
            text += self._repeated(self._piece())
        return text if first is None else first

    def _piece(self) -> str:
        sign = self._pattern[self._at]
        self._at += 1
        if sign in "^$":
            return ""
        if sign == "\\":
            return self._escape()
        if sign == "[":
            return self._class()
        if sign == "(":
            return self._group()
        return "1" if sign == "." else sign

    def _escape(self) -> str:
        sign = self._pattern[self._at : self._at + 1]
        self._at += 1
        return "" if sign in _IGNORED_ESCAPES else _ESCAPES.get(sign, sign)

    def _class(self) -> str:
        end = self._pattern.index("]", self._at + 1)
        members = self._pattern[self._at : end]
        self._at = end + 1
        if members.startswith("^"):
            return next(sign for sign in "1a-" if sign not in members)
        if members.startswith("\\"):
            return _ESCAPES.get(members[1], members[1])
        return "1" if members.startswith("0-9") else members[0]

    def _group(self) -> str:
        if self._pattern.startswith("?:", self._at):
            self._at += 2
        elif self._pattern.startswith("?", self._at):
            raise ValueError("a group that is not simple")
        text = self.sample()
        if not self._pattern.startswith(")", self._at):
            raise ValueError("a group without an end")
        self._at += 1
        return text

    def _repeated(self, piece: str) -> str:
        bounded = _BOUNDED.match(self._pattern, self._at)
        if bounded:
            self._at = bounded.end()
            times = int(bounded[1])
            if times * len(piece) > MAX_LENGTH:
                raise ValueError("too long")
            return piece * times
        while self._pattern[self._at : self._at + 1] in ("*", "+", "?"):
            self._at += 1
        return piece
