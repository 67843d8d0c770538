"""The trees of each environment, looked through in order as Salt's file client does.

Source: Salt ``salt/fileclient.py`` (``PillarClient``, ``list_states``, ``get_state``).
"""

import fnmatch
from collections.abc import Mapping, Sequence

from pillarbook.roots.tree import FileTree, Found


class Roots:
    """Environments and their trees; the first tree that has a file gives it whole."""

    def __init__(self, environments: Mapping[str, Sequence[FileTree]]) -> None:
        self._environments = {name: tuple(trees) for name, trees in environments.items()}
        self._found: dict[tuple[str, str], Found | None] = {}
        self._available: dict[str, tuple[str, ...]] = {}
        self._matching: dict[tuple[str, str], tuple[str, ...]] = {}

    @property
    def environments(self) -> tuple[str, ...]:
        """The environments' names, in the order of the master's options."""
        return tuple(self._environments)

    @property
    def trees(self) -> Mapping[str, tuple[FileTree, ...]]:
        """The trees by environment."""
        return self._environments

    def has_trees(self, saltenv: object) -> bool:
        """Say whether an environment is declared and has at least one tree."""
        return bool(self._environments.get(saltenv))  # type: ignore[call-overload]

    def names(self, saltenv: str) -> tuple[str, ...]:
        """Return the paths of all files of an environment, each once, in order of its trees."""
        trees = self._environments.get(saltenv, ())
        return tuple(dict.fromkeys(name for tree in trees for name in sorted(tree.names())))

    def find(self, path: str, saltenv: str) -> Found | None:
        """Return the file at a path relative to the environment's trees, or None."""
        key = (path, saltenv)
        if key not in self._found:
            self._found[key] = self._look_up(path, saltenv)
        return self._found[key]

    def _look_up(self, path: str, saltenv: str) -> Found | None:
        for tree in self._environments.get(saltenv, ()):
            found = tree.find(path)
            if found is not None:
                return found
        return None

    def find_sls(self, sls: str, saltenv: str) -> tuple[Found | None, bool]:
        """Return an SLS's file, and whether it is an ``init.sls``.

        The plain file is looked for in every tree before ``init.sls`` is.
        """
        path = sls.replace(".", "/")
        found = self.find(f"{path}.sls", saltenv)
        if found is not None:
            return found, False
        return self.find(f"{path}/init.sls", saltenv), True

    def bars_sls(self, sls: str, saltenv: str) -> str | None:
        """Return what cannot be read on the way to an SLS's file; None where nothing bars it."""
        path = sls.replace(".", "/")
        for tree in self._environments.get(saltenv, ()):
            for name in (f"{path}.sls", f"{path}/init.sls"):
                barred = tree.unreadable(name)
                if barred is not None:
                    return barred
        return None

    def available(self, saltenv: str) -> tuple[str, ...] | None:
        """Return the dotted names of an environment's SLS files, sorted.

        None where the environment is not declared; ``base`` always is.
        """
        if saltenv not in self._environments and saltenv != "base":
            return None
        if saltenv not in self._available:
            names: set[str] = set()
            for tree in self._environments.get(saltenv, ()):
                names.update(_dotted(path) for path in tree.names() if path.endswith(".sls"))
            self._available[saltenv] = tuple(sorted(names))
        return self._available[saltenv]

    def matching(self, pattern: str, saltenv: str) -> tuple[str, ...]:
        """Return the available names that match a glob, sorted; ``*`` crosses dots."""
        key = (pattern, saltenv)
        if key not in self._matching:
            self._matching[key] = tuple(fnmatch.filter(self.available(saltenv) or (), pattern))
        return self._matching[key]


def _dotted(path: str) -> str:
    cut = len("/init.sls") if path.endswith("/init.sls") else len(".sls")
    return path.replace("/", ".")[:-cut]
