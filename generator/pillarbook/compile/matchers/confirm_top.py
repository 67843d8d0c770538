"""Decides whether a target of a top file matches a minion, by the name of its matcher."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pillarbook.compile.matchers.compound_match import (
    explain_compound,
    explain_nodegroup,
    match_compound,
    match_nodegroup,
)
from pillarbook.compile.matchers.compound_program import match_nothing
from pillarbook.compile.matchers.id_match import (
    match_glob,
    match_list,
    match_managing_minion,
    match_pcre,
)
from pillarbook.compile.matchers.ipcidr_match import match_ipcidr
from pillarbook.compile.matchers.subdict_match import (
    match_grain,
    match_grain_pcre,
    match_pillar,
    match_pillar_exact,
    match_pillar_pcre,
)
from pillarbook.compile.matchers.subject import MatcherError, Subject, Verdict


def match_target(target: Any, matcher: str, subject: Subject) -> bool:
    """Say whether a target matches a minion.

    Raises:
        MatcherError: Salt stops the compile.

    Source: Salt ``salt/matchers/confirm_top.py``.
    """
    return _find_matcher(matcher)(target, subject)


def explain_target(target: Any, matcher: str, subject: Subject) -> Verdict:
    """Return a target's verdict; for a compound or a nodegroup, with those of its words.

    Raises:
        MatcherError: Salt stops the compile.
    """
    if matcher == "compound":
        return explain_compound(target, subject)
    if matcher == "nodegroup":
        return explain_nodegroup(target, subject)
    return Verdict(str(target), match_target(target, matcher, subject))


def match_data(target: Any, _subject: Subject) -> bool:
    """Raise an error, as Salt does, because this matcher calls a function that no longer exists.

    Raises:
        MatcherError: Always, except for a text without a colon, which matches nothing.

    Source: Salt ``salt/matchers/data_match.py``.
    """
    try:
        components = target.split(":")
    except (AttributeError, TypeError) as error:
        raise MatcherError(f"{type(error).__name__}: {error}") from error
    if len(components) > 1:
        raise MatcherError("KeyError: 'data.getval'")
    return False


_MATCHERS: Mapping[str, Callable[[Any, Subject], bool]] = MappingProxyType(
    {
        "compound": match_compound,
        "data": match_data,
        "glob": match_glob,
        "grain": match_grain,
        "grain_pcre": match_grain_pcre,
        "ipcidr": match_ipcidr,
        "list": match_list,
        "managing_minion": match_managing_minion,
        "nodegroup": match_nodegroup,
        "pcre": match_pcre,
        "pillar": match_pillar,
        "pillar_exact": match_pillar_exact,
        "pillar_pcre": match_pillar_pcre,
        "range": match_nothing,
        "resource": match_nothing,
    }
)


def explain_matcher(name: Any) -> tuple[str, str] | None:
    """Return what is wrong with the name of a matcher, and a remedy; None if Salt has it."""
    if not isinstance(name, str) or name in _MATCHERS:
        return None
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (on use)

    near = find_similar(name, _MATCHERS)
    remedy = f"use one of {', '.join(_MATCHERS)}" if near is None else f"write `match: {near}`"
    return f"there is no matcher '{name}'", remedy


def _find_matcher(name: Any) -> Callable[[Any, Subject], bool]:
    found = _MATCHERS.get(name) if isinstance(name, str) else None
    if found is not None:
        return found
    try:
        function = name + "_match.match"
    except TypeError as error:
        raise MatcherError(f"TypeError: {error}") from error
    raise MatcherError(f"KeyError: {function!r}")
