"""The trees of each environment, searched in the order of Salt's file client.

Source: Salt ``salt/fileclient.py`` (``PillarClient``, ``list_states``, ``get_state``).
"""

import fnmatch
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from pillarbook.model.limited_cache import recall
from pillarbook.roots.tree_interface import FileTree, FoundFile, sls_of_path

OTHER_ENDINGS = (".yaml", ".yml", ".jinja", ".j2", "")
"""Endings that people give to files that are meant to be SLS files."""
WILDCARD = re.compile(r"[*?\[]")
"""A character by which a glob matches more than itself."""


class Roots:
    """Environments and their trees; a file comes whole from the first tree that has it."""

    def __init__(
        self,
        environments: Mapping[str, Sequence[FileTree]],
        open_other: Callable[[str], Sequence[FileTree]] | None = None,
    ) -> None:
        """Make roots; ``open_other`` returns the trees of any other environment."""
        self._environments = {name: tuple(trees) for name, trees in environments.items()}
        self._open_other = open_other
        self._others: dict[str, Sequence[FileTree]] = {}
        # By path and environment, missing files included: a run sees one state of its files.
        # Released with the scope that these roots belong to.
        self._found: dict[tuple[str, str], FoundFile | None] = {}
        self._available: dict[str, tuple[str, ...]] = {}
        self._matching: dict[tuple[str, str], tuple[str, ...]] = {}
        self._suggested: dict[tuple[str, str], str | None] = {}

    @property
    def environments(self) -> tuple[str, ...]:
        """The names of the environments, in the order of the master's options."""
        return tuple(self._environments)

    def trees(self) -> Iterator[tuple[str, FileTree]]:
        """Yield each tree with the name of its environment, in their order."""
        for name, trees in self._environments.items():
            for tree in trees:
                yield name, tree

    def has_trees(self, saltenv: object) -> bool:
        """Say whether an environment is declared and has at least one tree."""
        return bool(self._environments.get(saltenv))  # type: ignore[call-overload]

    def _trees_of(self, saltenv: str) -> Sequence[FileTree]:
        trees = self._environments.get(saltenv)
        if trees is not None or self._open_other is None:
            return trees or ()
        open_other = self._open_other
        return recall(self._others, saltenv, lambda: open_other(saltenv))

    def names(self, saltenv: str) -> tuple[str, ...]:
        """Return the paths of all files of an environment, each once, in the order of its trees."""
        trees = self._trees_of(saltenv)
        return tuple(dict.fromkeys(name for tree in trees for name in sorted(tree.names())))

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return the file at a path relative to the environment's trees, or None."""
        key = (path, saltenv)
        if key not in self._found:
            found = (tree.find(path) for tree in self._trees_of(saltenv))
            self._found[key] = next((one for one in found if one is not None), None)
        return self._found[key]

    def find_sls(self, sls: str, saltenv: str) -> tuple[FoundFile | None, bool]:
        """Return an SLS's file, and whether it is an ``init.sls``.

        The plain file is searched in every tree before ``init.sls``. The requested name decides
        where relative includes start, so they differ between ``x`` and ``x.init``.
        """
        for path in _paths_of(sls):
            found = self.find(path, saltenv)
            if found is not None:
                return found, f"/{path}".endswith("/init.sls")
        return None, False

    def sls_of_file_name(self, name: str, saltenv: str) -> str | None:
        """Return the SLS for a name with the ending of its file, ``a.b.sls``; None if none is."""
        if not name.endswith(".sls"):
            return None
        sls = name.removesuffix(".sls").replace("/", ".").removesuffix(".init")
        return sls if self.find_sls(sls, saltenv)[0] is not None else None

    def suggest_sls(self, name: str, saltenv: str) -> str | None:
        """Return what to do about a name that no SLS of an environment has, if that is likely."""
        key = (name, saltenv)
        return recall(self._suggested, key, lambda: self._suggest(name, saltenv))

    def _suggest(self, name: str, saltenv: str) -> str | None:
        meant = self.sls_of_file_name(name, saltenv)
        if meant is not None:
            return f"write '{meant}': the name of an SLS has no `.sls`"
        misnamed = self.suggest_ending(_paths_of(name)[0], saltenv)
        if misnamed is not None:
            return misnamed
        from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (only errors need it)

        known = self.available(saltenv) or ()
        if name in known:
            return "rename its file or folder without a dot, which Salt takes for a folder"
        similar = find_similar(name, known)
        parent, _, last = name.rpartition(".")
        folder, _, near = (similar or "").rpartition(".")
        # A long folder would make all that is in it similar.
        if similar is not None and (parent != folder or find_similar(last, (near,))):
            return f"did you mean '{similar}'?"
        others = [one for one in self._environments if self.find_sls(name, one)[0] is not None]
        return f"it exists in environment '{others[0]}'" if others else None

    def suggest_ending(self, path: str, saltenv: str) -> str | None:
        """Return what to do about a missing SLS file that is there with another ending."""
        stem = path.removesuffix(".sls")
        for ending in OTHER_ENDINGS:
            if self.find(f"{stem}{ending}", saltenv) is not None:
                return f"rename `{stem}{ending}` to `{path}`: the file of an SLS ends with `.sls`"
        return None

    def bars_sls(self, sls: str, saltenv: str) -> str | None:
        """Return the path that prevents reading an SLS's file; None if nothing does."""
        for tree in self._trees_of(saltenv):
            for name in _paths_of(sls):
                barred = tree.unreadable(name)
                if barred is not None:
                    return barred
        return None

    def available(self, saltenv: str) -> tuple[str, ...] | None:
        """Return the dotted names of an environment's SLS files, sorted.

        None if the environment is not declared; ``base`` always is.
        """
        if saltenv not in self._environments and saltenv != "base" and self._open_other is None:
            return None
        if saltenv not in self._available:
            names: set[str] = set()
            for tree in self._trees_of(saltenv):
                names.update(sls_of_path(path) for path in tree.names() if path.endswith(".sls"))
            self._available[saltenv] = tuple(sorted(names))
        return self._available[saltenv]

    def matching(self, pattern: str, saltenv: str) -> tuple[str, ...]:
        """Return the available names that match a glob, sorted; ``*`` crosses dots."""
        key = (pattern, saltenv)
        return recall(self._matching, key, lambda: _match(pattern, self.available(saltenv) or ()))


def _match(pattern: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of some sorted names that match a glob."""
    if WILDCARD.search(pattern):
        return tuple(fnmatch.filter(names, pattern))
    # Most names in top files are plain. If each of them were matched with all names, the time would
    # grow with the square of their number.
    at = bisect_left(names, pattern)
    return (pattern,) if at < len(names) and names[at] == pattern else ()


# By the name, which determines the result. Whether a file exists is never kept here.
@lru_cache(maxsize=4096)
def _paths_of(sls: str) -> tuple[str, str]:
    """Return the possible paths of an SLS's file; leading and doubled dots change nothing.

    Source: Salt ``salt/fileclient.py`` (``get_state``), ``salt/utils/url.py`` (``parse``).
    """
    path = sls.replace(".", "/").replace("\\", "/")
    plain, init = (
        re.sub("/+", "/", one).lstrip("/") for one in (f"{path}.sls", f"{path}/init.sls")
    )
    return plain, init
