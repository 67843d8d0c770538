"""The files that functions and filters of templates may read: only those of the tree."""

from collections.abc import Iterable
from typing import Protocol

from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError


class OutsideTreesError(UnansweredCallError):
    """A path that is in no root and not in ``paths:``; it is not read."""

    def __init__(self) -> None:
        super().__init__("with a path outside the roots and `paths:`")


class TreeFiles(Protocol):
    """The file system of the tree; each lookup is recorded.

    Paths are those of the master: absolute, mapped by ``paths:``. A path in the cache of the
    master's file client is the file of the state tree from which it was copied.
    """

    def read_bytes(self, path: str) -> bytes | None:
        """Return a file's content; None if it does not exist.

        Raises:
            OutsideTreesError: The path must not be read.
        """

    def is_folder(self, path: str) -> bool:
        """Say whether a folder exists.

        Raises:
            OutsideTreesError: The path must not be read.
        """

    def list_below(self, path: str) -> Iterable[str]:
        """Return the full paths of all files and folders below a folder.

        Raises:
            OutsideTreesError: The path must not be read.
        """

    def take_text(self, path: str, text: str) -> str:
        """Note a text that a function read, and return it, or its placeholder.

        The name of its file may say that it is secret.
        """

    @property
    def secret(self) -> str | None:
        """Why a part of a function's result is secret (``gpg renderer``); None if nothing is."""

    @property
    def hides(self) -> str | None:
        """Why all computed values are secret, after the decryption of a whole text; else None."""

    def read_state(self, path: str, saltenv: str) -> bytes | None:
        """Return the content of a file of the state tree; None if it does not exist."""

    def list_states(self, saltenv: str) -> Iterable[str]:
        """Return the paths of the files in the state tree of an environment."""

    def state_environments(self) -> Iterable[str]:
        """Return the environments of the state tree, in their order."""

    def has_pillar_file(self, path: str, saltenv: str | None) -> bool:
        """Say whether a pillar root has a file; in any environment, if ``saltenv`` is None."""


def as_text(content: bytes) -> str:
    """Return a file's text with its own line ends.

    Raises:
        UnicodeDecodeError: It is not UTF-8.
    """
    return content.decode("utf-8")
