"""Filters that look at files, which only the roots may give them.

Source: Salt ``salt/utils/files.py``, ``salt/utils/hashutils.py`` (``get_hash``).
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Protocol

_BLOCK = 512
_LARGE_BLOCK = 2048
_TEXT = bytes(range(32, 127)) + b"\n\r\t\f\b"
_UTF8_PARTS = bytes(range(128, 255))


class TreeFiles(Protocol):
    """What of a file system these filters see."""

    def read_bytes(self, path: str) -> bytes | None:
        """Return a file's content; None where there is no such file."""
        ...

    def list_below(self, path: str) -> Iterable[str]:
        """Return the full paths of the files and folders below a folder, at any depth."""
        ...


def file_filters(files: TreeFiles) -> dict[str, Callable[..., Any]]:
    """Return the filters that take a path, by name."""

    def file_hashsum(path: str, form: str = "sha256", chunk_size: int = 0) -> str:  # noqa: ARG001
        if form not in hashlib.algorithms_guaranteed:
            raise ValueError(f"Invalid hash type: {form}")
        content = files.read_bytes(path)
        if content is None:
            raise FileNotFoundError(2, "No such file or directory", path)
        return hashlib.new(form, content, usedforsecurity=False).hexdigest()

    def is_text_file(path: str, blocksize: int = _BLOCK) -> bool:
        content = files.read_bytes(path)
        return content is not None and not looks_binary(content[:blocksize])

    def is_bin_file(path: str) -> bool:
        return looks_binary((files.read_bytes(path) or b"")[:_LARGE_BLOCK])

    def is_empty(path: str) -> bool:
        return files.read_bytes(path) == b""

    def list_files(path: str) -> list[str]:
        return list(dict.fromkeys([path, *sorted(files.list_below(path))]))

    return {
        "file_hashsum": file_hashsum,
        "is_bin_file": is_bin_file,
        "is_empty": is_empty,
        "is_text_file": is_text_file,
        "list_files": list_files,
    }


def looks_binary(block: bytes) -> bool:
    """Say whether more than three in ten bytes are no text, or any is NUL.

    Source: Salt ``salt/utils/stringutils.py`` (``is_binary``).
    """
    if not block or b"\0" in block:
        return bool(block)
    try:
        block.decode()
        text = _TEXT + _UTF8_PARTS
    except UnicodeDecodeError as error:
        is_cut = error.reason == "unexpected end of data"
        text = _TEXT + (_UTF8_PARTS if is_cut else b"")
    return len(block.translate(None, text)) / len(block) > 0.30
