"""Decrypts NaCl messages with the secret key in the master's ``nacl.config``.

Source: Salt ``salt/utils/nacl.py`` (``dec``, ``_get_config``, ``_get_sk``).
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.compile.renderers.nacl import OpenBox
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import OutsideReachError, Trust
from pillarbook.roots.file_access import DISK

USUAL_KEY = "/etc/salt/pki/master/nacl"


def find_box(master: MasterOptions, trust: Trust) -> OpenBox | None:
    """Return a function that decrypts messages; None without a key or without PyNaCl."""
    config = master.values.get("nacl.config") or {}
    if not isinstance(config, Mapping):
        return None
    text = str(config.get("sk") or "") or _read_key(master, trust, config)
    if not text:
        return None
    try:
        import nacl.exceptions  # noqa: F401, PLC0415 (an extra, and few trees need it)

        key = base64.b64decode(text)
    except (ImportError, ValueError):
        return None
    return _Box(key, is_secret=config.get("box_type") == "secretbox")


def _read_key(master: MasterOptions, trust: Trust, config: Mapping[str, Any]) -> str:
    named = config.get("sk_file") or config.get("keyfile") or USUAL_KEY
    try:
        path = master.resolve_path(str(named))
    except OutsideReachError:
        if not trust.keys:
            return ""
        path = Path(str(named))
    try:
        return DISK.read(path).decode().rstrip("\n")
    except (OSError, UnicodeDecodeError):
        return ""


@dataclass(frozen=True, slots=True, repr=False)
class _Box:
    """One secret key."""

    key: bytes
    """The key itself."""
    is_secret: bool
    """Whether messages were encrypted with this key itself, and not with its public key."""

    def __call__(self, message: str) -> bytes:
        """Return the clear text of a message."""
        from nacl.exceptions import CryptoError  # noqa: PLC0415 (an extra)
        from nacl.public import PrivateKey, SealedBox  # noqa: PLC0415
        from nacl.secret import SecretBox  # noqa: PLC0415

        try:
            sealed = base64.b64decode(message)
            if self.is_secret:
                return bytes(SecretBox(self.key).decrypt(sealed))
            return bytes(SealedBox(PrivateKey(self.key)).decrypt(sealed))
        except (CryptoError, TypeError) as error:
            raise ValueError(str(error)) from error
