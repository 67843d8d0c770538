"""Match ``key:subkey:pattern`` against nested data, and the five matchers made of that.

Salt tries the longest key first: ``a:b:c`` looks for ``c`` at ``a:b``, then for ``b:c`` at ``a``.
Neither keys nor values are compared with regard to case, whatever the mode.
"""

import fnmatch
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from pillarbook.compile.matchers.subject import MatcherError, Subject
from pillarbook.compile.matchers.traverse import traverse

PatternMode: TypeAlias = Literal["glob", "pcre", "exact"]
"""How the pattern is read: a glob, a regular expression anchored at the start, a plain text."""

_NOTHING = object()
_GLOB_SIGNS = re.compile(r"[*?\[]")


def subdict_match(
    data: Any, expression: str, delimiter: str = ":", mode: PatternMode = "glob"
) -> bool:
    """Say whether ``expression`` matches something in ``data``.

    Args:
        data: A mapping of nested mappings, lists and scalars.
        expression: Keys and a pattern with ``delimiter`` between them; without one, no match.
        delimiter: The delimiter of the expression (below a mapping that it leads to, Salt goes
            on with a colon whatever it is).
        mode: How the pattern is read; a regular expression with a fault matches nothing.

    Source: Salt ``salt/utils/data.py`` (``subdict_match``).
    """
    for path, pattern in _list_attempts(expression, delimiter):
        # a lone star stands for all of the data
        found = data if path is None else traverse(data, path, _NOTHING, delimiter)
        if found is not _NOTHING and _match_found(found, pattern, mode):
            return True
    return False


def match_grain(target: Any, subject: Subject, delimiter: str = ":") -> bool:
    """Match a grain with a glob."""
    return _match_data(subject.grains, target, delimiter, "glob")


def match_grain_pcre(target: Any, subject: Subject, delimiter: str = ":") -> bool:
    """Match a grain with a regular expression."""
    return _match_data(subject.grains, target, delimiter, "pcre")


def match_pillar(target: Any, subject: Subject, delimiter: str = ":") -> bool:
    """Match a pillar value with a glob."""
    return _match_data(subject.pillar, target, delimiter, "glob")


def match_pillar_pcre(target: Any, subject: Subject, delimiter: str = ":") -> bool:
    """Match a pillar value with a regular expression."""
    return _match_data(subject.pillar, target, delimiter, "pcre")


def match_pillar_exact(target: Any, subject: Subject, delimiter: str = ":") -> bool:
    """Match a pillar value with a plain text."""
    return _match_data(subject.pillar, target, delimiter, "exact")


def _match_data(data: Mapping[str, Any], target: Any, delimiter: str, mode: PatternMode) -> bool:
    """Match a target of the user's.

    Raises:
        MatcherError: The target is no text, where Salt stumbles over it.
    """
    if isinstance(target, str):
        return subdict_match(data, target, delimiter, mode)
    try:
        stumbles = delimiter in target
    except TypeError as error:
        raise MatcherError(f"TypeError: {error}") from error
    if stumbles:
        kind = type(target).__name__
        raise MatcherError(f"AttributeError: '{kind}' object has no attribute 'split'")
    return False


# A function of its arguments; a top file asks for the same few of each minion.
@lru_cache(maxsize=8192)
def _list_attempts(
    expression: str, delimiter: str
) -> tuple[tuple[tuple[str, ...] | None, str], ...]:
    """Return ``(keys, pattern)`` for each way to divide the expression, longest keys first."""
    words = expression.split(delimiter)
    return tuple(
        (None, expression)
        if delimiter.join(words[:count]) == "*"
        else (tuple(words[:count]), delimiter.join(words[count:]))
        for count in range(len(words) - 1, 0, -1)
    )


def _match_found(found: Any, pattern: str, mode: PatternMode) -> bool:
    if isinstance(found, dict):
        return _match_mapping(found, pattern, mode)
    if isinstance(found, list | tuple):
        return any(_match_member(member, pattern, mode) for member in found)
    return _match_text(found, pattern, mode)


def _match_member(member: Any, pattern: str, mode: PatternMode) -> bool:
    # an empty mapping counts as one with any key here, unlike one that a key leads to
    if isinstance(member, dict) and _match_keys(member, pattern, mode):
        return True
    return _match_text(member, pattern, mode)


def _match_mapping(found: dict[Any, Any], pattern: str, mode: PatternMode) -> bool:
    """Match a mapping that a key led to; Salt passes over an empty one.

    Only a star needs to ask whether it is empty: nothing else matches in one anyway.
    """
    if pattern.removeprefix("*:") == "*" and not found:
        return False
    return _match_keys(found, pattern, mode)


def _match_keys(mapping: dict[Any, Any], pattern: str, mode: PatternMode) -> bool:
    """Match the pattern with a key, or as an expression, in a mapping.

    Salt looks at all the keys before it tries the pattern as an expression; here that comes
    last, since all it can do is match, and a mapping that is read key by key is not recorded
    as a whole.
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
    """Match how Python prints a value."""
    return _compile_pattern(pattern, mode)(str(value).lower())


# A function of the pattern and the mode: grains and pillar of the minion come in only when the test
# is called.
@lru_cache(maxsize=8192)
def _compile_pattern(pattern: str, mode: PatternMode) -> Callable[[str], bool]:
    """Return the test that a pattern makes of a text in lower case."""
    lowered = pattern.lower()
    if mode == "exact" or (mode == "glob" and not _GLOB_SIGNS.search(lowered)):
        return lowered.__eq__
    try:
        found = re.compile(lowered if mode == "pcre" else fnmatch.translate(lowered)).match
    except (re.error, OverflowError, RecursionError):
        return _never
    return lambda text: found(text) is not None


def _never(_text: str) -> bool:
    return False
