"""Expand nodegroups into the words of a compound target."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from pillarbook.compile.matchers.subject import MatcherError

FrozenGroups: TypeAlias = tuple[tuple[str, str | tuple[str, ...] | None], ...]
"""Nodegroups as ``(name, definition)``: a text, words, or None if it has none."""

OPERATORS = frozenset(("and", "or", "not", "(", ")"))
"""The words of a compound target that are not questions."""

_TYPE_SIGN = re.compile(r"[A-Z]@")
_REGEX_SIGNS = re.compile(r"[()\[\]{}\\?]")


def expand_nodegroup(name: Any, nodegroups: Mapping[Any, Any]) -> list[Any]:
    """Return the words of a nodegroup; none if there is no such group.

    A group without other groups in it is replaced by its own words, without parentheses, which
    makes a difference in a compound target; the words may be of any type. Groups inside are put in
    parentheses. An unknown group, and a group that contains itself, is left out.

    Raises:
        MatcherError: A word of the group is not text, and Salt needs text there.

    Source: Salt ``salt/utils/minions.py`` (``nodegroup_comp``).
    """
    words = _declared_words(name, nodegroups)
    if words is None:
        return []
    if any(_names_nodegroup(str(word)) for word in words):
        return _expand_words(words, nodegroups, frozenset((name,)))
    return _join_plain(words) or words


def freeze_reached(text: str, nodegroups: Mapping[Any, Any]) -> FrozenGroups | None:
    """Return the nodegroups that a target uses, in a form that is hashable.

    None if a word of one is not text, because 1 and True are equal in a cache.
    """
    reached: dict[str, str | tuple[str, ...] | None] = {}
    waiting = list(_find_names(text))
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        declared = nodegroups.get(name)
        if isinstance(declared, list | tuple):
            declared = tuple(declared)
            if not all(isinstance(word, str) for word in declared):
                return None
        elif not isinstance(declared, str):
            declared = None
        reached[name] = declared
        waiting += _find_names(declared or "")
    return tuple(reached.items())


# By definition and not by name: minions with their own `opts` may declare another group of the same
# name.
@lru_cache(maxsize=8192)
def _find_names(declared: str | tuple[str, ...]) -> tuple[str, ...]:
    words = declared.split() if isinstance(declared, str) else declared
    return tuple(word.removeprefix("N@") for word in words if _names_nodegroup(word))


def _declared_words(name: Any, nodegroups: Mapping[Any, Any]) -> list[Any] | None:
    declared = nodegroups.get(name)
    if isinstance(declared, str):
        return declared.split()
    return list(declared) if isinstance(declared, list | tuple) else None


def _names_nodegroup(word: str) -> bool:
    return word.startswith("N@") and len(word) > len("N@")


def _expand_words(
    words: list[Any], nodegroups: Mapping[Any, Any], within: frozenset[Any]
) -> list[str]:
    expanded: list[str] = []
    for word in map(str, words):
        if _names_nodegroup(word):
            expanded += _expand_inner(word.removeprefix("N@"), nodegroups, within)
        else:
            expanded.append(word)
    return ["(", *expanded, ")"] if expanded else []


def _expand_inner(name: str, nodegroups: Mapping[Any, Any], within: frozenset[Any]) -> list[str]:
    words = None if name in within else _declared_words(name, nodegroups)
    if words is None:
        return []
    expanded = _expand_words(words, nodegroups, within | {name})
    return _join_plain(words) or expanded


def _join_plain(words: list[Any]) -> list[str] | None:
    """Return the one word for a list of plain names: a list of ids, or a regular expression.

    A list of plain names has no operator, no star and no letter with ``@``. If one name has a
    special character of regular expressions, all become regular expressions.

    Source: Salt ``salt/utils/minions.py`` (``_nodegroup_regex``).
    """
    try:
        has_operators = not OPERATORS.isdisjoint(set(words))
        special = has_operators or [word for word in words if "*" in word or _TYPE_SIGN.match(word)]
    except TypeError as error:
        raise MatcherError(f"TypeError: {error}") from error
    if special:
        return None
    letter = "E" if any(map(_REGEX_SIGNS.search, words)) else "L"
    return [f"{letter}@{','.join(words)}"]
