"""File names for ids: minions, environments, key paths.

A safe name stays as it is; any other gets a digest of the id behind a tilde,
which no safe name contains. So two ids never share a name, also if the file system ignores
case, and a name never depends on what else there is.
"""

import hashlib
import re

# The digest behind it keeps two long names apart.
MAX_LENGTH = 100
"""Characters of a name; leaves room for an extension within the 255 bytes of file systems."""
READABLE = 60
"""Characters of the id that stay readable before a digest."""

_SAFE = re.compile(r"[a-z0-9](?:[a-z0-9_-]|\.(?!\.))*(?<!\.)", re.ASCII)
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.ASCII)
_TAKEN = frozenset({"index", "readme"})


def slug(name: str) -> str:
    """Return the file name for an id, without an extension.

    Safe is a name of lower-case ASCII letters, digits, ``-``, ``_`` and single inner dots that
    begins with a letter or digit, is no longer than ``MAX_LENGTH``, and that neither MkDocs
    (``index``, ``README``) nor Windows (``con``, ``nul.txt``) takes for something else.
    """
    if len(name) <= MAX_LENGTH and _SAFE.fullmatch(name) and not _means_something_else(name):
        return name
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower(), flags=re.ASCII)[:READABLE].strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{readable or 'id'}~{digest}"


def _means_something_else(name: str) -> bool:
    return name in _TAKEN or _DEVICE.fullmatch(name) is not None
