"""Redacted data of one process for another one, whose store numbers the same secrets otherwise.

Never written to disk: what tells a secret is its value.
"""

import io
import pickle
from typing import Any

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.redact.secret_store import SecretStore


def pack(data: Any, store: SecretStore) -> bytes:
    """Return data as bytes; each ``Redacted`` in it is told by its secret."""
    written = io.BytesIO()
    _Packer(written, store).dump(data)
    return written.getvalue()


def unpack(packed: bytes, store: SecretStore) -> Any:
    """Return data that was packed with another store, of which this one knows all secrets."""
    return _Unpacker(io.BytesIO(packed), store).load()


def _restore(reason: str, secret: tuple[bytes, bytes]) -> Redacted:
    """Name what an ``_Unpacker`` puts instead of this: pickles call functions by name."""
    raise NotImplementedError(reason, secret)


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, store: SecretStore) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._secrets = {place: secret for secret, place in store.places.items()}

    def reducer_override(self, obj: Any) -> Any:
        """Tell a ``Redacted`` by its secret; each object is told once, as others are."""
        if obj.__class__ is Redacted:
            return _restore, (obj.reason, self._secrets[obj.place])
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, store: SecretStore) -> None:
        super().__init__(file)
        self._store = store

    def find_class(self, module: str, name: str) -> Any:
        """Return what makes a ``Redacted`` of this store, and all else as it is."""
        if (module, name) == (__name__, _restore.__name__):
            return self._redacted
        return super().find_class(module, name)

    def _redacted(self, reason: str, secret: tuple[bytes, bytes]) -> Redacted:
        return self._store.redacted(reason, self._store.places[secret])
