"""What a door has learned, to be handed to the door of another process over the same fleet."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pillarbook.model import KeyPath
from pillarbook.redact.parts import Sifter
from pillarbook.redact.secrets import SecretStore
from pillarbook.redact.sources import Source


@dataclass(frozen=True, slots=True)
class Learned:
    """Secrets in the clear; not to be written anywhere but into memory."""

    secrets: tuple[tuple[Any, KeyPath, bool, Source], ...]
    """Values, with the keys that lead to each, whether it is only another's copy, and where it
    comes from."""
    spots: tuple[tuple[tuple[Hashable, ...], str], ...]
    """Places in files whose value is secret, with the reason."""

    def __repr__(self) -> str:
        """Return how much it is, never a secret."""
        return f"Learned({len(self.secrets)} secrets)"


class Lessons:
    """Tells what is new since it was last asked.

    Args:
        store: The store of the door.
        sifter: Its sifter.
    """

    def __init__(self, store: SecretStore, sifter: Sifter) -> None:
        self._store = store
        self._sifter = sifter
        self._named = store.named()
        self._spots = len(sifter.secret_origins)

    def take(self) -> Learned:
        """Return what was learned since."""
        store = self._store
        before, self._named = self._named, store.named()
        new = (
            place
            for place, name in enumerate(self._named)
            if place >= len(before) or name is not before[place]
        )
        secrets = tuple(
            (store.value_of(one), store.path_of(one), store.is_copy(one), store.source_of(one))
            for one in new
        )
        spots = tuple(islice(self._sifter.secret_origins.items(), self._spots, None))
        self._spots += len(spots)
        return Learned(secrets, spots)


def take_over(learned: Learned, store: SecretStore, sifter: Sifter) -> None:
    """Put what another process has learned into a store; it counts once that is settled."""
    for value, path, is_copy, source in learned.secrets:
        store.place(value, path, is_copy=is_copy, source=source)
    for spot, reason in learned.spots:
        sifter.note_secret_spot(spot, reason)
