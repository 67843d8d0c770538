"""Secrets that one process has found, for the redactors of the other processes."""

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
    """Clear secrets; kept in memory and never written to disk."""

    secrets: tuple[tuple[Any, KeyPath, bool, SecretSource], ...]
    """``(value, path, is_copy, source)`` of each secret."""
    spots: tuple[tuple[tuple[Hashable, ...], str], ...]
    """Values in files that are secret by ``Origin.spot``, with the reason."""

    def __repr__(self) -> str:
        """Return the number of secrets, never a secret."""
        return f"Learned({len(self.secrets)} secrets)"


class NewSecrets:
    """Returns the secrets that were found since the last call."""

    def __init__(self, store: SecretStore, node_redactor: NodeRedactor) -> None:
        self._store = store
        self._node_redactor = node_redactor
        self._named = store.named()
        self._spots = len(node_redactor.lines.reasons)

    def take(self) -> SharedSecrets:
        """Return the secrets that were found since the last call."""
        store = self._store
        before, self._named = self._named, store.named()
        # A secret with a better path counts as new: the other process must use the same path.
        new = (
            secret_id
            for secret_id, name in enumerate(self._named)
            if secret_id >= len(before) or name is not before[secret_id]
        )
        secrets = tuple(
            (store.value_of(one), store.path_of(one), store.is_copy(one), store.source_of(one))
            for one in new
        )
        spots = tuple(islice(self._node_redactor.lines.reasons.items(), self._spots, None))
        self._spots += len(spots)
        return SharedSecrets(secrets, spots)


def take_over(learned: SharedSecrets, store: SecretStore, node_redactor: NodeRedactor) -> None:
    """Add the secrets of another process; ``Redactor.freeze_secrets`` puts them to use."""
    for value, path, is_copy, source in learned.secrets:
        store.add(value, path, is_copy=is_copy, source=source)
    for spot, reason in learned.spots:
        node_redactor.lines.note(spot, reason)
