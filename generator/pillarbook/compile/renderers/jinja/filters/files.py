"""Filters that look at files, which only the roots may give them.

Source: Salt ``salt/utils/files.py``, ``salt/utils/hashutils.py`` (``get_hash``).
"""

import hashlib
from collections.abc import Callable
from typing import Any

from pillarbook.compile.renderers.jinja.tree_files import OutsideTreesError, TreeFiles

_BLOCK = 512
_LARGE_BLOCK = 2048
_TEXT = bytes(range(32, 127)) + b"\n\r\t\f\b"
_UTF8_PARTS = bytes(range(128, 255))


def file_filters(seen: Callable[[], TreeFiles | None]) -> dict[str, Callable[..., Any]]:
    """Return the filters that take a path, by name.

    ``seen`` returns the files that the render at hand may look at; None for none at all.
    """
    filters = _FileFilters(seen)
    return {
        "file_hashsum": filters.file_hashsum,
        "is_bin_file": filters.is_bin_file,
        "is_empty": filters.is_empty,
        "is_text_file": filters.is_text_file,
        "list_files": filters.list_files,
    }


class _FileFilters:
    """The filters; each raises OutsideTreesError for a path that may not be looked at."""

    def __init__(self, seen: Callable[[], TreeFiles | None]) -> None:
        self._seen = seen

    def _trees(self) -> TreeFiles:
        trees = self._seen()
        if trees is None:
            raise OutsideTreesError
        return trees

    def file_hashsum(self, path: str, form: str = "sha256", chunk_size: int = 65536) -> str:  # noqa: ARG002
        return hash_content(self._trees().read_bytes(path), path, form)

    def is_text_file(self, path: str, blocksize: int = _BLOCK) -> bool:
        content = self._trees().read_bytes(path)
        return content is not None and not looks_binary(content[:blocksize])

    def is_bin_file(self, path: str) -> bool:
        return looks_binary((self._trees().read_bytes(path) or b"")[:_LARGE_BLOCK])

    def is_empty(self, path: str) -> bool:
        return self._trees().read_bytes(path) == b""

    def list_files(self, path: str) -> list[str]:
        return list(dict.fromkeys([path, *sorted(self._trees().list_below(path))]))


def hash_content(content: bytes | None, path: str, form: str) -> str:
    """Return the digest of a file's content.

    Source: Salt ``salt/utils/hashutils.py`` (``get_hash``).
    """
    if form not in hashlib.algorithms_guaranteed:
        raise ValueError(f"Invalid hash type: {form}")
    if content is None:
        raise FileNotFoundError(2, "No such file or directory", path)
    return hashlib.new(form, content, usedforsecurity=False).hexdigest()


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
