"""What minions lose or get that newly fail, are empty, new or removed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pillarbook.compare.atoms import Atom, Cited
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path
from pillarbook.model.phrases import count, list_some
from pillarbook.report.diff_wording import MAX_LINES, MAX_SECRETS, write_line
from pillarbook.report.state_wording import StateWords

MAX_NAMED = 5
"""Top-level keys that are named."""
MAX_KEYS = 12
"""Those of a minion that is new or removed."""


def describe_effects(
    diff: Diff,
    states: StateWords,
    minions: Sequence[str],
    write: Callable[[str], str],
    write_place: Callable[[str], str],
) -> list[str]:
    """Return the cause of the failures of some minions, and what they lose or get because of it."""
    lines = (
        describe_failure_cause(diff, minions, write_place),
        describe_keys(diff, minions, write),
        describe_lost(diff, minions, write),
        states.describe_follow_on(minions),
    )
    return [line for line in lines if line]


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


def describe_failure_cause(
    diff: Diff, minions: Iterable[str], write_place: Callable[[str], str]
) -> str:
    """Return the proven cause of the failures of some minions, if it is in another file.

    It is known from the changes that follow from a failure; empty if there are none.
    """
    cited: dict[Cited, None] = {}
    for atom in (diff.atoms[one - 1] for name in minions for one in diff.minions[name].atoms):
        if atom.consequence_of is None or not atom.proven:
            continue
        place = diff.diagnostics[atom.consequence_of][1].position
        cited |= {one: None for one in atom.because if place is None or one.file != place.file}
    lines = list_some(tuple(cited), MAX_LINES, lambda line: write_line(line, write_place))
    return f"because of {lines}" if lines else ""


def describe_keys(diff: Diff, minions: Sequence[str], write: Callable[[str], str]) -> str:
    """Return the top-level keys of minions that are new, removed or newly empty, else nothing."""
    keys = dict.fromkeys(format_path((key,)) for name in minions for key in _keys_of(diff, name))
    named = list_some(tuple(keys), MAX_KEYS, write)
    paths = dict.fromkeys(path for name in minions for path in diff.minions[name].secrets)
    secrets = list_some([format_path(path) for path in paths], MAX_SECRETS, write)
    also = f"; secrets among them: {secrets}" if paths else ""
    is_gone = all(diff.minions[name].word == "empty" for name in minions)
    lost = "lost " if is_gone and not diff.environment else ""
    where = f" only in {write(diff.base)}" if is_gone and diff.environment else ""
    return f"{lost}{count(len(keys), 'top-level key')}{where}: {named}{also}" if keys else ""


def _keys_of(diff: Diff, minion: str) -> Iterator[Any]:
    result = diff.minions[minion]
    yield from result.keys
    if result.word == "empty":
        paths = (diff.atoms[number - 1].change.path for number in result.atoms)
        yield from (path[0] for path in paths if path)


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
