"""Pairs the members that a list loses with those that replace them."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

_SETTING = re.compile(r"\s*([^\s=]+)\s*=")
_Member = TypeVar("_Member")


def pair_members(
    removed: Sequence[_Member], added: Sequence[_Member], value_of: Callable[[_Member], Any]
) -> tuple[list[tuple[_Member, _Member]], list[_Member]]:
    """Return which members replace which, and the members without a partner.

    Two settings such as ``max-age=60`` are a pair if they set the same. Other members are paired in
    their order, if there are as many on both sides: nobody can say more.
    """
    names = [_name_settings(some, value_of) for some in (removed, added)]
    common = [name for name in names[0] if name in names[1]]
    pairs = [(names[0][name], names[1][name]) for name in common]
    rest = [
        [one for one in some if all(one is not known[name] for name in common)]
        for some, known in zip((removed, added), names, strict=True)
    ]
    has_settings = any(_setting_of(value_of(one)) for some in rest for one in some)
    if len(rest[0]) == len(rest[1]) and not has_settings:
        return [*pairs, *zip(*rest, strict=True)], []
    return pairs, [*rest[0], *rest[1]]


def _name_settings(
    members: Sequence[_Member], value_of: Callable[[_Member], Any]
) -> dict[str, _Member]:
    """Return members by the setting that each alone is about."""
    found: dict[str, list[_Member]] = {}
    for one in members:
        name = _setting_of(value_of(one))
        if name:
            found.setdefault(name, []).append(one)
    return {name: some[0] for name, some in found.items() if len(some) == 1}


def _setting_of(value: Any) -> str:
    """Return what a text like ``max-age=60`` sets; empty for any other value."""
    found = _SETTING.match(value) if isinstance(value, str) else None
    return found[1] if found else ""
