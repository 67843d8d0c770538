"""What minions lose with a failure, in words: it is told with the failure and not as changes."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path
from pillarbook.report.phrases import count, list_some

MAX_NAMED = 5
"""Top-level keys that are named."""


def describe_lost(diff: Diff, minions: Iterable[str], write: Callable[[str], str]) -> str:
    """Return what only follows from the failures of some minions; empty for nothing."""
    ids = dict.fromkeys(one for name in minions for one in diff.minions[name].atoms)
    found = [diff.atoms[one - 1] for one in ids]
    follow = [atom for atom in found if atom.consequence_of is not None]
    lost = _lost(follow)
    words = []
    if lost:
        tops = dict.fromkeys(format_path(path[:1]) for path in lost)
        words.append(f"{count(len(lost), 'key')} lost: {list_some(tuple(tops), MAX_NAMED, write)}")
    others = sum(atom.change.kind in ("added", "changed") for atom in follow)
    if others:
        words.append(f"{count(others, 'value')} changed by it")
    return "; ".join(words)


def _lost(atoms: Sequence[Atom]) -> dict[tuple[Any, ...], None]:
    """Return the paths of all values that are gone."""
    found: dict[tuple[Any, ...], None] = {}
    for atom in atoms:
        if atom.change.kind == "removed":
            _add_leaves(atom.change.path, atom.change.before, found)
    return found


def _add_leaves(path: tuple[Any, ...], data: Any, found: dict[tuple[Any, ...], None]) -> None:
    if isinstance(data, dict) and data:
        for key, part in data.items():
            _add_leaves((*path, key), part, found)
    else:
        found[path] = None  # a list is one key
