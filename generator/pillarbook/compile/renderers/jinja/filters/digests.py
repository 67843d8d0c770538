"""Digests, signatures and base64.

Source: Salt ``salt/utils/hashutils.py``.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from pillarbook.compile.renderers.jinja.filters.text import to_bytes


def md5_digest(instr: Any) -> str:
    """Return a text's MD5 digest in hexadecimal."""
    return hashlib.md5(to_bytes(instr), usedforsecurity=False).hexdigest()


def sha1_digest(instr: Any) -> str:
    """Return a text's SHA-1 digest in hexadecimal."""
    return hashlib.sha1(to_bytes(instr), usedforsecurity=False).hexdigest()


def sha256_digest(instr: Any) -> str:
    """Return a text's SHA-256 digest in hexadecimal."""
    return hashlib.sha256(to_bytes(instr)).hexdigest()


def sha512_digest(instr: Any) -> str:
    """Return a text's SHA-512 digest in hexadecimal."""
    return hashlib.sha512(to_bytes(instr)).hexdigest()


def hmac_compute(string: Any, shared_secret: Any) -> str:
    """Return a text's HMAC with SHA-256 in hexadecimal."""
    return hmac.new(to_bytes(shared_secret), to_bytes(string), hashlib.sha256).hexdigest()


def hmac_signature(string: Any, shared_secret: Any, challenge_hmac: Any) -> bool:
    """Say whether a text's HMAC with SHA-256 is the one given in base64."""
    digest = hmac.new(to_bytes(shared_secret), to_bytes(string), hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), to_bytes(challenge_hmac))


def base64_b64encode(instr: Any) -> str:
    """Return a text or bytes in base64, on one line."""
    return base64.b64encode(to_bytes(instr)).decode()


def base64_b64decode(instr: Any) -> str | bytes:
    """Return what base64 holds: text, or bytes where it is no UTF-8."""
    decoded = base64.b64decode(to_bytes(instr))
    try:
        return decoded.decode()
    except UnicodeDecodeError:
        return decoded


FILTERS: dict[str, Callable[..., Any]] = {
    "base64_decode": base64_b64decode,
    "base64_encode": base64_b64encode,
    "hmac": hmac_signature,
    "hmac_compute": hmac_compute,
    "md5": md5_digest,
    "sha1": sha1_digest,
    "sha256": sha256_digest,
    "sha512": sha512_digest,
}
