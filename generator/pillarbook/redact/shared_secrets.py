"""Secrets that one process has found, for the redactor of another one over the same fleet."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pillarbook.model import KeyPath
from pillarbook.redact.node_redactor import NodeRedactor
from pillarbook.redact.secret_sources import SecretSource
from pillarbook.redact.secret_store import SecretStore


@dataclass(frozen=True, slots=True)
class SharedSecrets:
    """Secrets in the clear; not to be written anywhere but into memory."""

    secrets: tuple[tuple[Any, KeyPath, bool, SecretSource], ...]
    """Values, with the keys that lead to each, whether it is only another's copy, and where it
    comes from."""
    spots: tuple[tuple[tuple[Hashable, ...], str], ...]
    """Places in files whose value is secret, with the reason."""

    def __repr__(self) -> str:
        """Return how much it is, never a secret."""
        return f"Learned({len(self.secrets)} secrets)"


class Lessons:
    """Tells what is new since it was last asked."""

    def __init__(self, store: SecretStore, node_redactor: NodeRedactor) -> None:
        self._store = store
        self._node_redactor = node_redactor
        self._named = store.named()
        self._spots = len(node_redactor.secret_origins)

    def take(self) -> SharedSecrets:
        """Return what was learned since."""
        store = self._store
        before, self._named = self._named, store.named()
        # A path that names the secret better counts as new: the other process must choose the same
        # name.
        new = (
            place
            for place, name in enumerate(self._named)
            if place >= len(before) or name is not before[place]
        )
        secrets = tuple(
            (store.value_of(one), store.path_of(one), store.is_copy(one), store.source_of(one))
            for one in new
        )
        spots = tuple(islice(self._node_redactor.secret_origins.items(), self._spots, None))
        self._spots += len(spots)
        return SharedSecrets(secrets, spots)


def take_over(learned: SharedSecrets, store: SecretStore, node_redactor: NodeRedactor) -> None:
    """Put what another process has learned into a store; it counts once that is frozen."""
    for value, path, is_copy, source in learned.secrets:
        store.place(value, path, is_copy=is_copy, source=source)
    for spot, reason in learned.spots:
        node_redactor.note_secret_spot(spot, reason)
