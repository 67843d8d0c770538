"""The files that functions and filters of templates may look at: those of the tree, no others."""

from collections.abc import Iterable
from typing import Protocol

from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError


class OutsideTreesError(UnansweredCallError):
    """A path that is in no root and below nothing that ``paths:`` names; it is not looked at."""

    def __init__(self) -> None:
        super().__init__("with a path outside the roots and `paths:`")


class TreeFiles(Protocol):
    """The file system as far as it may be seen, each question recorded.

    Paths are those of the master: absolute, mapped through ``paths:``. What is in the cache of
    the master's file client is the file of the state tree that was fetched from there.
    """

    def read_bytes(self, path: str) -> bytes | None:
        """Return a file's content; None where there is no such file.

        Raises:
            OutsideTreesError: The path may not be looked at.
        """
        ...

    def is_folder(self, path: str) -> bool:
        """Say whether there is a folder.

        Raises:
            OutsideTreesError: The path may not be looked at.
        """
        ...

    def list_below(self, path: str) -> Iterable[str]:
        """Return the full paths of the files and folders below a folder, at any depth.

        Raises:
            OutsideTreesError: The path may not be looked at.
        """
        ...

    @property
    def secret(self) -> str | None:
        """Why something that a function gave is secret (``gpg renderer``), else None."""
        ...

    @property
    def hides(self) -> str | None:
        """Why all that is made of it is secret, where text was opened as a whole; else None."""
        ...

    def read_state(self, path: str, saltenv: str) -> bytes | None:
        """Return the content of a file of the state tree; None where there is none."""
        ...

    def list_states(self, saltenv: str) -> Iterable[str]:
        """Return the paths of the files in the state tree of an environment."""
        ...

    def state_environments(self) -> Iterable[str]:
        """Return the environments of the state tree, in their order."""
        ...

    def has_pillar_file(self, path: str, saltenv: str | None) -> bool:
        """Say whether a pillar root has a file; of any environment where None is given."""
        ...


def as_text(content: bytes) -> str:
    """Return a file's text, its line ends as they are.

    Raises:
        UnicodeDecodeError: It is not UTF-8.
    """
    return content.decode("utf-8")
