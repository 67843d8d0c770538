"""A folder of a commit as a file tree, without a checkout."""

import posixpath
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Repository, TreeEntry
from pillarbook.roots.tree_interface import CachedTree, FoundFile

MAX_LINKS = 40
"""The most links of one path, as on Linux."""
MAX_LEVELS = 200
"""The most nested folders."""
MAX_TIMES = 10_000
"""The most times that a commit may name one folder: a few bytes could name it without end."""
MAX_FILES = 200_000
"""The most files; a tree can name one folder again, and so have more files than objects."""
UNREADABLE = "cannot be read"


class RevisionTree(CachedTree):
    """A folder of a commit; links are followed within the commit, submodules are empty folders.

    ``folder`` is empty for the top, and need not exist. ``shown`` returns the name of a file in
    messages and pages, from its path in the commit. ``full`` is the folder on a master: the
    beginning of ``tplpath``.
    """

    def __init__(
        self,
        repository: Repository,
        commit: str,
        folder: str = "",
        *,
        shown: Callable[[str], str],
        full: str,
    ) -> None:
        super().__init__()
        self._repository = repository
        self._top = TreeEntry("", "folder", repository.folder_of(commit))
        self._folder = folder.strip("/")
        self._shown = shown
        self.full = full.rstrip("/")
        """The folder on a master."""

    @property
    def is_there(self) -> bool:
        """Whether the commit has the folder."""
        found = self._look_up("")
        return found is not None and found[1].kind in ("folder", "submodule")

    def _walk(self) -> list[str]:
        names: list[str] = []
        times: Counter[str] = Counter()
        waiting: list[tuple[str, tuple[str, ...]]] = [("", ())]
        while waiting:
            prefix, above = waiting.pop()
            found = self._look_up(prefix)
            if found is None or found[1].kind != "folder" or found[0] in above:
                continue  # a broken link, or one to a folder above
            times[found[1].id] += 1
            if times[found[1].id] > MAX_TIMES:
                self.refused[self._show(prefix)] = f"stands in more than {MAX_TIMES:,} places"
                break
            for entry in self._list(found[1], prefix).values():
                path = prefix + entry.name
                kind = self._kind(path, entry)
                if kind == "folder" and path.count("/") < MAX_LEVELS:
                    waiting.append((path + "/", (*above, found[0])))
                elif kind == "file" and self._has_name(path, partial(self._show, path)):
                    names.append(path)
            if len(names) + len(waiting) > MAX_FILES:
                self.refused[self._show(prefix)] = f"has more than {MAX_FILES:,} files"
                break
        return names

    def _kind(self, path: str, entry: TreeEntry) -> str | None:
        if entry.kind != "link":
            return entry.kind
        found = self._look_up(path)
        return found[1].kind if found else None

    def unreadable(self, path: str) -> str | None:
        """Return the shown path of the folder or file that prevents reading; None if none does."""
        below = self._below(path)
        parts = (below or "").split("/")
        for end in range(len(parts) + 1):
            shown = self._show("/".join(parts[:end]))
            if self.refused.get(shown, "").startswith(UNREADABLE):
                return shown
        return None

    def _read(self, path: str) -> FoundFile | None:
        below = self._below(path)
        found = None if below is None else self._look_up(below)
        if (
            below is None
            or found is None
            or found[1].kind != "file"
            or not self._has_name(below, partial(self._show, below))
        ):
            return None
        shown = self._show(below)
        try:
            content = self._repository.read_file(found[1].id)
        except RepositoryError as error:
            self.refused[shown] = f"{UNREADABLE}: {error}"
            return None
        return self._make_file(path, shown, f"{self.full}/{below}", content)

    def _below(self, path: str) -> str | None:
        """Return a path relative to the folder; None if it leads elsewhere."""
        if path.startswith("/"):
            if not path.startswith(self.full + "/"):
                return None
            path = path.removeprefix(self.full + "/")
        below = posixpath.normpath(path)
        return None if below == ".." or below.startswith("../") else below

    def _look_up(self, below: str) -> tuple[str, TreeEntry] | None:
        """Return the target of a path below the folder, and the target's own path in the commit."""
        waiting = [*reversed(below.split("/")), *reversed(self._folder.split("/"))]
        way: list[TreeEntry] = [self._top]
        links = 0
        while waiting:
            name = waiting.pop()
            if name in {"", "."}:
                continue
            if name == "..":
                if len(way) == 1:
                    self._refuse(below)
                    return None
                way.pop()
                continue
            entry = self._list(way[-1], "").get(name) if way[-1].kind == "folder" else None
            if entry is None:
                return None
            if entry.kind != "link":
                way.append(entry)
                continue
            links += 1
            target = self._target(entry, below) if links <= MAX_LINKS else None
            if target is None:
                return None
            waiting += reversed(target.split("/"))
        return "/".join(entry.name for entry in way[1:]), way[-1]

    def _list(self, folder: TreeEntry, prefix: str) -> Mapping[str, TreeEntry]:
        try:
            return self._repository.list_folder(folder.id)
        except RepositoryError as error:
            self.refused[self._show(prefix.rstrip("/"))] = f"{UNREADABLE}: {error}"
            return {}

    def _target(self, link: TreeEntry, below: str) -> str | None:
        """Return the target of a link; None if it is outside of the commit."""
        try:
            content = self._repository.read_file(link.id)
        except RepositoryError:
            return None
        target = (content or b"").decode("utf-8", "surrogateescape")
        if not target or target.startswith("/"):
            self._refuse(below)
            return None
        return target

    def _refuse(self, below: str) -> None:
        self.refused[self._show(below)] = "leads out of the repository"

    def _show(self, below: str) -> str:
        shown = self._shown(posixpath.normpath(posixpath.join(self._folder, below)))
        return shown.encode("utf-8", "backslashreplace").decode()
