"""A file tree under a path, as git_pillar's ``mountpoint`` puts it."""

from dataclasses import replace

from pillarbook.roots.tree_interface import FileTree, FoundFile


class MountedTree:
    """A tree whose files all lie below a folder.

    Args:
        tree: The tree.
        folder: The folder, relative; empty leaves the files where they are.
        full: Where a master would have the top.
    """

    def __init__(self, tree: FileTree, folder: str, full: str) -> None:
        self._tree = tree
        self._prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        self.full = full.rstrip("/")
        """Where a master would have the top."""

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files."""
        return tuple(self._prefix + name for name in self._tree.names())

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a relative path, or None where there is none."""
        if not path.startswith(self._prefix):
            return None
        found = self._tree.find(path.removeprefix(self._prefix))
        return found and replace(found, path=path, full=f"{self.full}/{path}")

    def unreadable(self, path: str) -> str | None:
        """Return what bars the way to a path, as it is shown; None where nothing does."""
        if not path.startswith(self._prefix):
            return None
        return self._tree.unreadable(path.removeprefix(self._prefix))
