"""What the text and the Markdown of a comparison have in common."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from pillarbook.compare import Change, fold_path
from pillarbook.compare.atoms import AtomGroup
from pillarbook.compare.diff import Diff
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.redact import RedactedOrigin

SAME = ("unchanged", "still failing")
"""Words that say nothing of a change."""


@dataclass(frozen=True, slots=True)
class Told:
    """Atoms that a reader takes for one: they differ in list positions alone."""

    change: Change
    """One of their changes."""
    times: int
    """How many they are."""


def tell_atoms(group: AtomGroup) -> Iterator[Told]:
    """Yield what there is to tell of the atoms of some minions."""
    prints = Fingerprints()
    found: dict[Hashable, tuple[Change, int]] = {}
    for atom in group.atoms:
        change = atom.change
        key = (
            change.kind,
            tuple(map(canonical, fold_path(change))),
            prints.of(change.before),
            prints.of(change.after),
            _place(change.before_origin),
            _place(change.after_origin),
        )
        first, times = found.get(key, (change, 0))
        found[key] = (first, times + 1)
    yield from (Told(change, times) for change, times in found.values())


def _place(origin: RedactedOrigin | None) -> Hashable:
    return None if origin is None else (origin.file, origin.line)


def head_line(diff: Diff) -> str:
    """Return how many changes there are, on how many minions."""
    fleet = len(diff.minions)
    total = "1 minion" if fleet == 1 else f"{fleet:,} minions"
    befallen = sum(fate.word not in SAME for fate in diff.minions.values())
    failing = diff.fates["still failing"]
    if not befallen and not diff.atoms:
        as_before = f", of which {failing:,} fail as before" if failing else ""
        return f"Pillar: no change on {total}{as_before}"
    changes = len({(atom.change.kind, fold_path(atom.change)) for atom in diff.atoms})
    words = "1 change" if changes == 1 else f"{changes:,} changes"
    touched = sum(bool(fate.atoms) or fate.word not in SAME for fate in diff.minions.values())
    return f"Pillar: {words} on {touched:,} of {total}"
