"""The file ``comment.json`` by which the job that compares hands over its result."""

import io
import json
import lzma
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from faults import RefusedError

NAME = "comment.json"
"""The one file of the artifact."""
SCHEMA = "pillarbook.comment/1"
MAX_BYTES = 512 * 1024
"""Bytes of the file, and of the artifact around it."""
FIELDS = {"schema": str, "head": str, "state": str, "markdown": str}
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,  # a compression of another kind
    OSError,
    RuntimeError,  # a password
    ValueError,
)
"""What reading a broken archive raises."""
STATES = ("compared", "unchanged", "failed")


@dataclass(frozen=True, slots=True)
class Result:
    """What the job that compares has to say."""

    head: str
    """The commit that it looked at."""
    state: str
    """``compared``; ``unchanged`` if nothing changed; ``failed`` if it could not compare."""
    markdown: str
    """The comparison; not looked at yet."""


def unpack_result(archive: bytes) -> Result:
    """Return the result in an artifact, which is read in memory and up to a limit only.

    Raises:
        RefusedError: It is no such artifact.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            content = _read_member(opened)
    except UNREADABLE as error:
        raise RefusedError("the artifact is no archive that can be read") from error
    return read_result(content)


def _read_member(archive: zipfile.ZipFile) -> bytes:
    """Return the one member, or the beginning of one that is too long."""
    members = archive.infolist()
    if [one.filename for one in members] != [NAME]:
        raise RefusedError(f"the artifact holds something else than {NAME}")
    with archive.open(members[0]) as file:
        return file.read(MAX_BYTES + 1)


def read_result(content: bytes) -> Result:
    """Return the result that a file holds.

    Raises:
        RefusedError: It is too long, or not of the schema.
    """
    if len(content) > MAX_BYTES:
        raise RefusedError(f"{NAME} is longer than {MAX_BYTES:,} bytes")
    try:
        data: Any = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{NAME} is no JSON") from error
    if not isinstance(data, dict) or data.keys() != FIELDS.keys():
        raise RefusedError(f"{NAME} has other fields than {SCHEMA}")
    if any(not isinstance(data[name], kind) for name, kind in FIELDS.items()):
        raise RefusedError(f"{NAME} has a field of another type")
    if data["schema"] != SCHEMA or data["state"] not in STATES:
        raise RefusedError(f"{NAME} is not of {SCHEMA}")
    return Result(data["head"], data["state"], data["markdown"])
