"""The module ``file``: paths, and files of the tree.

Each function refuses a path outside of the roots and ``paths:``.

Source: Salt ``salt/modules/file.py``.
"""

import fnmatch
import io
import posixpath
import re

from pillarbook.compile.renderers.jinja.filters.files import hash_content
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.tree_files import as_text

_LINE_BLOCK = 8192
_HASHES = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}
"""Hash types by the length of their digests."""
_MAGIC = re.compile(r"[*?\[]")


class FilePaths:
    """The functions of ``file`` that only compute with paths."""

    def join(self, *parts: str) -> str:
        """Return parts as one path; a part that begins with a slash replaces those before."""
        return posixpath.join(*parts)

    def basename(self, path: str) -> str:
        """Return a path's last part."""
        return posixpath.basename(path)

    def dirname(self, path: str) -> str:
        """Return a path without its last part."""
        return posixpath.dirname(path)

    def normpath(self, path: str) -> str:
        """Return a path without ``.``, ``..`` and double slashes."""
        return posixpath.normpath(path)

    def pardir(self) -> str:
        """Return the name of the folder above."""
        return posixpath.pardir


class File(FilePaths):
    """The module ``file``."""

    def __init__(self, context: FunctionContext) -> None:
        self._trees = context.trees

    def file_exists(self, path: str) -> bool:
        """Say whether a file exists."""
        return self._trees.read_bytes(path) is not None

    def directory_exists(self, path: str) -> bool:
        """Say whether a folder exists."""
        return self._trees.is_folder(path)

    def path_exists_glob(self, path: str) -> bool:
        """Say whether a glob matches a full path; hidden names need a pattern with a dot."""
        parts = path.split("/")
        fixed = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), None)
        if fixed is None:
            return self.file_exists(path) or self.directory_exists(path)
        below = self._trees.list_below("/".join(parts[:fixed]) or "/")
        return any(_matches(found.split("/"), parts) for found in below)

    def access(self, path: str, mode: str) -> bool:
        """Say whether a file or folder at a full path exists, and thus may be read."""
        if not path.startswith("/"):
            raise SaltFunctionError("Path to link must be absolute.")
        if mode not in ("f", "r", 0, 4):
            if mode in ("w", "x", 1, 2):
                raise UnansweredCallError("to test permissions on the master")
            raise SaltFunctionError("Invalid mode specified.")
        return self.file_exists(path) or self.directory_exists(path)

    def readdir(self, path: str) -> list[str]:
        """Return the names in a folder, sorted, after ``.`` and ``..``."""
        if not path.startswith("/"):
            raise SaltFunctionError("Dir path must be absolute.")
        names = [posixpath.relpath(found, path) for found in self._trees.list_below(path)]
        if not names:
            raise SaltFunctionError(f"A valid directory was not specified: {path}")
        return [".", "..", *(name for name in names if "/" not in name)]

    def read(self, path: str, binary: object = False) -> str | bytes:
        """Return a file's text, or its bytes."""
        content = self._read(path)
        return content if binary is True else self._trees.take_text(path, as_text(content))

    def seek_read(self, path: str, size: int, offset: int) -> bytes:
        """Return some bytes of a file."""
        return self._read(path)[int(offset) :][: int(size)]

    def contains(self, path: str, text: object) -> bool:
        """Say whether a file holds a text; white space around the text does not count."""
        content = self._trees.read_bytes(path)
        return content is not None and str(text).strip() in as_text(content)

    def contains_regex(self, path: str, regex: str, lchar: str = "") -> bool:
        """Say whether a line of a file matches a regular expression.

        ``lchar`` are characters to take from the start of each line before.
        """
        content = self._trees.read_bytes(path)
        lines = io.StringIO("" if content is None else as_text(content), newline="")
        return any(re.search(regex, line.lstrip(lchar) if lchar else line) for line in lines)

    def contains_glob(self, path: str, glob_expr: str) -> bool:
        """Say whether a whole block of a file matches a glob."""
        content = self._trees.read_bytes(path)
        text = as_text(content) if content is not None else ""
        blocks = (text[at : at + _LINE_BLOCK] for at in range(0, len(text), _LINE_BLOCK))
        return any(fnmatch.fnmatch(block, glob_expr) for block in blocks)

    def get_hash(self, path: str, form: str = "sha256", chunk_size: int = 65536) -> str:  # noqa: ARG002
        """Return a file's digest."""
        return hash_content(self._trees.read_bytes(path), path, form)

    def get_sum(self, path: str, form: str = "sha256") -> str:
        """Return a file's digest, or ``File not found``."""
        content = self._trees.read_bytes(path)
        return "File not found" if content is None else hash_content(content, path, form)

    def check_hash(self, path: str, file_hash: object) -> bool:
        """Say whether a file has a digest: ``md5:...``, ``md5=...`` or the digest alone."""
        if not isinstance(file_hash, str):
            raise SaltFunctionError("hash must be a string")
        for separator in (":", "="):
            if separator in file_hash:
                form, _, digest = file_hash.partition(separator)
                return self.get_hash(path, form) == digest
        if len(file_hash) not in _HASHES:
            known = ", ".join(f"{form} ({size})" for size, form in _HASHES.items())
            raise SaltFunctionError(
                f"Hash {file_hash} (length: {len(file_hash)}) could not be matched to a supported "
                f"hash type. The supported hash types and lengths are: {known}"
            )
        return self.get_hash(path, _HASHES[len(file_hash)]) == file_hash

    def _read(self, path: str) -> bytes:
        content = self._trees.read_bytes(path)
        if content is not None:
            return content
        if self._trees.is_folder(path):
            raise IsADirectoryError(21, "Is a directory", path)
        raise FileNotFoundError(2, "No such file or directory", path)


def _matches(found: list[str], patterns: list[str]) -> bool:
    """Say whether a path matches a glob, part by part."""
    return len(found) == len(patterns) and all(
        fnmatch.fnmatchcase(name, pattern) and (name[:1] != "." or pattern[:1] == ".")
        for name, pattern in zip(found, patterns, strict=True)
    )
