"""Matches ``key:subkey:pattern`` with nested data; five matchers use it.

Salt tries the longest key first: ``a:b:c`` looks for ``c`` at ``a:b``, then for ``b:c`` at ``a``.
Keys and values are compared without regard to case in every mode.
"""

import fnmatch
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

from pillarbook.compile.matchers.subject import MatcherError, Subject
from pillarbook.compile.matchers.traverse import traverse

PatternMode: TypeAlias = Literal["glob", "pcre", "exact"]
"""How the pattern is matched: as a glob, as a regular expression from the start, as plain text."""

_NOTHING = object()
_GLOB_SIGNS = re.compile(r"[*?\[]")


def subdict_match(
    data: Any, expression: str, delimiter: str = ":", mode: PatternMode = "glob"
) -> bool:
    """Say whether an expression matches something in nested data.

    An expression is keys and a pattern with delimiters between them; without one, nothing matches.
    Below a mapping that a key leads to, Salt uses a colon in any case. An invalid regular
    expression matches nothing.

    Source: Salt ``salt/utils/data.py`` (``subdict_match``).
    """
    for path, pattern in _list_attempts(expression, delimiter):
        # a single star matches all data
        found = data if path is None else traverse(data, path, _NOTHING, delimiter)
        if found is not _NOTHING and _match_found(found, pattern, mode):
            return True
    return False


def _match_data(
    view: Literal["grains", "pillar"],
    mode: PatternMode,
    target: Any,
    subject: Subject,
    delimiter: str = ":",
) -> bool:
    """Match a target of the user."""
    if isinstance(target, str):
        return subdict_match(getattr(subject, view), target, delimiter, mode)
    try:
        stumbles = delimiter in target
    except TypeError as error:
        raise MatcherError(f"TypeError: {error}") from error
    if stumbles:
        kind = type(target).__name__
        raise MatcherError(f"AttributeError: '{kind}' object has no attribute 'split'")
    return False


match_grain = partial(_match_data, "grains", "glob")
match_grain_pcre = partial(_match_data, "grains", "pcre")
match_pillar = partial(_match_data, "pillar", "glob")
match_pillar_pcre = partial(_match_data, "pillar", "pcre")
match_pillar_exact = partial(_match_data, "pillar", "exact")
"""Match a grain or a pillar value with a glob, a regular expression or a plain text."""


# By its arguments, which determine the result; a top file has few different ones.
@lru_cache(maxsize=8192)
def _list_attempts(
    expression: str, delimiter: str
) -> tuple[tuple[tuple[str, ...] | None, str], ...]:
    """Return ``(keys, pattern)`` for each way to split the expression, longest keys first."""
    words = expression.split(delimiter)
    return tuple(
        (None, expression)
        if delimiter.join(words[:count]) == "*"
        else (tuple(words[:count]), delimiter.join(words[count:]))
        for count in range(len(words) - 1, 0, -1)
    )


def _match_found(found: Any, pattern: str, mode: PatternMode) -> bool:
    if isinstance(found, dict):
        # An empty mapping matches nothing. Only a star needs a test for this.
        is_none = not found and pattern.removeprefix("*:") == "*"
        return not is_none and _match_keys(found, pattern, mode)
    if isinstance(found, list | tuple):
        # only here, an empty mapping matches as if it had any key
        return any(
            (isinstance(one, dict) and _match_keys(one, pattern, mode))
            or _match_text(one, pattern, mode)
            for one in found
        )
    return _match_text(found, pattern, mode)


def _match_keys(mapping: dict[Any, Any], pattern: str, mode: PatternMode) -> bool:
    """Match the pattern with the keys of a mapping, or as an expression in it.

    Salt compares all keys before it tries the pattern as an expression. Here keys are last: the
    result is the same, and a mapping of which single keys are read is not recorded as a whole.
    """
    inner = pattern.removeprefix("*:")
    if inner == "*" or inner in mapping or subdict_match(mapping, inner, mode=mode):
        return True
    if any(_match_text(key, inner, mode) for key in mapping):
        return True
    return inner != pattern and any(_match_value(mapping[key], inner, mode) for key in mapping)


def _match_value(value: Any, pattern: str, mode: PatternMode) -> bool:
    """Match the value of any key, for the pattern after ``*:``."""
    if isinstance(value, dict):
        return _match_keys(value, pattern, mode)
    if isinstance(value, list):
        return any(_match_text(member, pattern, mode) for member in value)
    return _match_text(value, pattern, mode)


def _match_text(value: Any, pattern: str, mode: PatternMode) -> bool:
    """Match the text that Python prints for a value."""
    return _compile_pattern(pattern, mode)(str(value).lower())


# By pattern and mode, which determine the result; the minion's data is an argument of the test.
@lru_cache(maxsize=8192)
def _compile_pattern(pattern: str, mode: PatternMode) -> Callable[[str], bool]:
    """Return the test of a pattern for a text in lower case."""
    lowered = pattern.lower()
    if mode == "exact" or (mode == "glob" and not _GLOB_SIGNS.search(lowered)):
        return lowered.__eq__
    try:
        found = re.compile(lowered if mode == "pcre" else fnmatch.translate(lowered)).match
    except (re.error, OverflowError, RecursionError):
        return lambda _text: False
    return lambda text: found(text) is not None
