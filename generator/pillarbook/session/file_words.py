"""Which words the files of a tree contain: what a file that fails would have set."""

import re
from functools import cached_property
from pathlib import Path

from pillarbook.compile.project import Project
from pillarbook.roots.tree_interface import FileTree


class FileWords:
    """Looks for words in the files of a project's roots."""

    def __init__(self, project: Project) -> None:
        self._project = project
        # By file and word, for the run: the files of a side never change.
        self._known: dict[tuple[str, str], bool] = {}

    def holds(self, file: str, word: str) -> bool:
        """Say whether a file contains a word; False for a file outside of the tree."""
        if (file, word) not in self._known:
            self._known[file, word] = self._look_into(file, word)
        return self._known[file, word]

    def _look_into(self, file: str, word: str) -> bool:
        tree, name = self._files.get(file, (None, ""))
        found = None if tree is None else tree.find(name)
        if found is None or not word:
            return False
        pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
        return re.search(pattern.encode(errors="surrogateescape"), found.content) is not None

    @cached_property
    def _files(self) -> dict[str, tuple[FileTree, str]]:
        """The files by their shown names; used after every minion is compiled."""
        trees = [
            tree
            for scope in self._project.scopes.values()
            for roots in (scope.roots, scope.states)
            for _, tree in roots.trees()
        ]
        return {
            self._project.shown(Path(tree.full, name)): (tree, name)
            for tree in trees
            for name in tree.names()
        }
