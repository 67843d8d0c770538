"""Changes that somebody has acknowledged by their ids: they are expected.

Only what the base acknowledges is left out of counts and exit codes: a change must not approve
itself. A change that gives a minion a secret cannot be acknowledged, and a failure has no id
(``docs/decisions/0033``).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pillarbook.compare.alarms import new_secrets
from pillarbook.compare.atoms import AckSource
from pillarbook.compare.diff import Diff

NOT_ALLOWED = (
    "is acknowledged, but gives a minion a secret; such a change cannot be acknowledged, so it"
    " counts"
)


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """The ids that are acknowledged."""

    base: frozenset[str] = frozenset()
    """Those of the base's file."""
    itself: frozenset[str] = frozenset()
    """Those of the head's file, and of messages of its commits."""
    notes: tuple[str, ...] = ()
    """What is wrong with what was read."""

    def find(self, change_id: str | None) -> AckSource | None:
        """Return where an id is acknowledged; None if it is not."""
        if change_id is None:
            return None
        return "base" if change_id in self.base else "itself" if change_id in self.itself else None


def acknowledge(diff: Diff, known: Acknowledgements) -> Diff:
    """Return a comparison whose changes say where they are acknowledged."""
    if not (known.base or known.itself or known.notes):
        return diff
    giving = set(_find_giving(diff))
    free = Acknowledgements(known.base - giving, known.itself - giving)
    refused = sorted(one for one in giving if known.find(one))
    return replace(
        diff,
        atoms=tuple(replace(one, acknowledged=free.find(one.change_id)) for one in diff.atoms),
        states=tuple(replace(one, acknowledged=free.find(one.change_id)) for one in diff.states),
        notes=(*diff.notes, *known.notes, *(f"{one} {NOT_ALLOWED}" for one in refused)),
    )


def _find_giving(diff: Diff) -> Iterator[str]:
    """Yield the ids of changes that give a minion a secret."""
    for atom in diff.atoms:
        if atom.change_id and new_secrets(atom.change):
            yield atom.change_id
    for state in diff.states:
        if state.change_id and any(map(new_secrets, state.change.arguments)):
            yield state.change_id
