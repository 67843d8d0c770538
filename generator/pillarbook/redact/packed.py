"""Redacted data for another process, whose store has other ids for the same secrets.

Never written to disk, because packed data identifies each secret by its clear value.
"""

import io
import pickle
from typing import Any

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.redact.secret_store import SecretStore


def pack(data: Any, store: SecretStore) -> bytes:
    """Return data as bytes; each ``Redacted`` in it is replaced by its clear secret."""
    written = io.BytesIO()
    _Packer(written, store).dump(data)
    return written.getvalue()


def unpack(packed: bytes, store: SecretStore) -> Any:
    """Return data that was packed with another store; this store must know all its secrets."""
    return _Unpacker(io.BytesIO(packed), store).load()


def _restore(reason: str, secret: tuple[bytes, bytes]) -> Redacted:
    """Stand for ``_Unpacker._redacted`` in a pickle, which can name module functions only."""
    raise NotImplementedError(reason, secret)


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, store: SecretStore) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._secrets = {secret_id: secret for secret, secret_id in store.secret_ids.items()}

    def reducer_override(self, obj: Any) -> Any:
        """Replace a ``Redacted`` by its clear secret; pickle writes each object once."""
        if obj.__class__ is Redacted:
            return _restore, (obj.reason, self._secrets[obj.secret_id])
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, store: SecretStore) -> None:
        super().__init__(file)
        self._store = store

    def find_class(self, module: str, name: str) -> Any:
        """Return the function that makes a ``Redacted`` of this store for ``_restore``."""
        if (module, name) == (__name__, _restore.__name__):
            return self._redacted
        return super().find_class(module, name)

    def _redacted(self, reason: str, secret: tuple[bytes, bytes]) -> Redacted:
        return self._store.redacted(reason, self._store.secret_ids[secret])
