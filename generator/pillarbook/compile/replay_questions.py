"""Repeats the lookups of a compile with another run's files: would the result be the same?

A file at another path counts as different, even with the same content, because origins contain the
path.
"""

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.project import FileRead, Project, Scope
from pillarbook.compile.tree_access import STATES, digest_names, names_below
from pillarbook.compile.tree_lookups import Look, PathLookup, RootsLookup
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.roots.file_access import walk_allowed
from pillarbook.roots.tree_interface import FileTree, FoundFile

LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file of an external pillar is not compared."""
_LISTED_STATES = f"{STATES.rstrip('/')}/"
_UNKNOWN = object()


@dataclass(slots=True, eq=False)
class ReplayedAnswers:
    """The answers of one run with one scope, which are cached."""

    project: Project
    """The run."""
    scope: Scope
    """Options and roots."""
    # By lookup: the files of a side do not change, so each lookup has one answer. Kept as long as
    # the sides are open, because many minions have the same lookups.
    _known: dict[Look, Hashable] = field(default_factory=dict)

    def answer(self, look: Look) -> Hashable:
        """Return a key for the answer to a lookup."""
        known = self._known.get(look, _UNKNOWN)
        if known is _UNKNOWN:
            known = self._known[look] = self._find_out(look)
        return known

    def _find_out(self, look: Look) -> Hashable:
        if isinstance(look, RootsLookup):
            return _ask_roots(look, self.scope)
        if isinstance(look, PathLookup):
            return _ask_files(look, self.scope.options)
        return self._ask_trees(look)

    def _ask_trees(self, read: FileRead) -> Hashable:
        if read.tree is not None:
            return tuple(_ask_tree(tree, read.path) for tree in self._trees(read.tree))
        if read.path == _LISTED_STATES:
            return digest_names(sorted(self.scope.states.names(read.saltenv)))
        if read.path.startswith(STATES):
            path = read.path.removeprefix(STATES)
            found = None if path.startswith("/") else self.scope.states.find(path, read.saltenv)
            return _stand_for(found)
        return _stand_for(self.scope.roots.find(self.project.locate(read.path), read.saltenv))

    def _trees(self, full: str) -> list[FileTree]:
        of_roots = (
            tree for roots in (self.scope.roots, self.scope.states) for _, tree in roots.trees()
        )
        return [tree for tree in (*of_roots, *self.project.mapped.values()) if tree.full == full]


def _stand_for(found: FoundFile | None) -> Hashable:
    return None if found is None else (found.digest, found.full)


def _ask_tree(tree: FileTree, path: str) -> Hashable:
    if path.endswith("/"):
        return digest_names(sorted(names_below(path.rstrip("/"), tree.names())))
    return _stand_for(tree.find(path))


def _ask_roots(look: RootsLookup, scope: Scope) -> Hashable:
    roots, saltenv = scope.roots, look.saltenv
    if look.what == "top":
        return _stand_for(roots.find(look.name, saltenv))
    if look.what == "sls":
        found, is_init = roots.find_sls(look.name, saltenv)
        barred = None if found is not None else roots.bars_sls(look.name, saltenv)
        return (_stand_for(found), is_init, barred)
    fitting: list[Any] = [roots.matching(name, saltenv) for name in look.name]
    return (roots.available(saltenv) is None, *fitting)


def _ask_files(look: PathLookup, options: MasterOptions) -> Hashable:
    """Return a key for a file or a folder, with the targets of its links."""
    files = options.reach.files
    try:
        target = files.resolve(look.path)
        real = str(target)
        if not options.may_read_git(target):
            return ("outside", real)
        if files.is_dir(target):
            return ("folder", real, *_list(look, options))
        if files.is_file(target):
            content = files.read(target, LARGEST + 1, follow=False)
            return ("file", real, hashlib.sha256(content).hexdigest())
        return ("other", real, files.exists(look.path))
    except (OSError, RuntimeError, ValueError) as error:
        return ("error", type(error).__name__)


def _list(look: PathLookup, options: MasterOptions) -> Sequence[Hashable]:
    files = options.reach.files
    if not look.deep:
        names = sorted(files.names(look.path))
        return [
            (name, files.is_dir(look.path / name), files.is_link(look.path / name))
            for name in names
        ]
    walked = walk_allowed(files, look.path, options.may_read_git)
    return sorted((root, tuple(sorted(below)), tuple(sorted(rest))) for root, below, rest in walked)
