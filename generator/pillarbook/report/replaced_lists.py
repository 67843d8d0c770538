"""Lists of which no member stays, as one change of the key.

The atoms of such a list are a removed member each and an added member each; beside each other, they
would say no more than the two lists.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pillarbook.compare.atoms import Atom
from pillarbook.compare.strict import canonical
from pillarbook.redact import Redacted
from pillarbook.report.folded_atoms import unite_causes


def join_replaced(atoms: Iterable[Atom]) -> tuple[list[Atom], dict[int, tuple[Atom, ...]]]:
    """Return atoms with those of a replaced list as one, and its atoms by the id of that one.

    Scalars that replace one another are left: which one replaces which says more.
    """
    told = list(atoms)
    lists: dict[Hashable, list[Atom]] = defaultdict(list)
    for atom in told:
        if atom.change.replaced is not None:
            lists[tuple(map(canonical, atom.change.path[:-1])), atom.minions].append(atom)
    joined: dict[int, tuple[Atom, ...]] = {}
    taken: set[int] = set()
    for some in lists.values():
        removed = [atom for atom in some if atom.change.kind == "removed"]
        added = [atom for atom in some if atom.change.kind == "added"]
        sizes = (len(removed), len(added))
        if sizes == tuple(map(len, some[0].change.replaced or ())) and not _have_pairs(
            removed, added
        ):
            joined[some[0].id] = (*removed, *added)
            taken.update(atom.id for atom in some)
    return [
        _join(joined[atom.id]) if atom.id in joined else atom
        for atom in told
        if atom.id in joined or atom.id not in taken
    ], joined


def _have_pairs(removed: Sequence[Atom], added: Sequence[Atom]) -> bool:
    """Say whether scalars among the members are told as one changed value each."""
    scalars = [
        [one for one in some if not isinstance(_value_of(one), Redacted | Mapping | list | tuple)]
        for some in (removed, added)
    ]
    return bool(pair_members(scalars[0], scalars[1], _value_of)[0])


def _value_of(atom: Atom) -> Any:
    return atom.change.after if atom.change.kind == "added" else atom.change.before


def _join(atoms: Sequence[Atom]) -> Atom:
    first = atoms[0].change
    before, after = first.replaced or ((), ())
    at = len(first.path) - 1
    origins = [one.change.after_origin for one in atoms if one.change.kind == "added"]
    change = replace(
        first,
        path=first.path[:at],
        kind="changed",
        before=before,
        after=after,
        after_origin=origins[0],
        positions=first.positions - {at},
        replaced=None,
    )
    return replace(
        atoms[0],
        change=change,
        because=unite_causes(atoms),
        proven=all(atom.proven for atom in atoms),
    )


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
