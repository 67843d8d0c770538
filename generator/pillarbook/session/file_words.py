"""Which words the files of a tree contain: what a file that fails would have set."""

import re
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

from pillarbook.compile.project import Project
from pillarbook.model.limited_cache import recall
from pillarbook.roots.tree_interface import FileTree

INCLUDES = re.compile(
    rb"^include:[ \t]*(?:\[([^\]\n]*)\]|\n((?:[ \t]*(?:-[ \t].*|#.*)?\n)+))", re.MULTILINE
)
"""The names of an ``include``, in one line or several."""
INCLUDED = re.compile(
    rb"(?:^[ \t]*-[ \t]+|^[ \t]*|,[ \t]*)(\.*[\w-]+(?:\.[\w-]+)*)(?=[ \t]*(?:[:,#]|$))",
    re.MULTILINE,
)
"""An included SLS; names that templates make are left out."""


class FileWords:
    """Looks for words in the files of a project's roots.

    What a failing file includes is missing as well, so the words of its includes count, too.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        # By file and word, for the run: the files of a side never change.
        self._known: dict[tuple[str, str], bool] = {}

    def holds(self, file: str, word: str) -> bool:
        """Say whether a file contains a word; False for a file outside of the tree."""
        return recall(self._known, (file, word), partial(self._look_into, file, word))

    def _look_into(self, file: str, word: str) -> bool:
        if file not in self._files or not word:
            return False
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)".encode(errors="surrogateescape"))
        (tree, name), seen = self._files[file], set[str]()
        left = [name]
        while left:
            name = left.pop()
            found = tree.find(name) if name not in seen else None
            seen.add(name)
            if found is not None and pattern.search(found.content):
                return True
            left.extend(_included(name, found.content) if found is not None else ())
        return False

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


def _included(name: str, content: bytes) -> Iterator[str]:
    """Yield the files, in the tree of an SLS, that its includes may be."""
    above = PurePosixPath(name).parents
    for blocks in INCLUDES.findall(content + b"\n"):
        for sls in INCLUDED.findall(b"".join(blocks)):
            below = sls.decode().lstrip(".")
            dots = len(sls) - len(below)
            if dots <= len(above):
                start = above[dots - 1] if dots else PurePosixPath()
                path = start / below.replace(".", "/")
                yield from (f"{path}.sls", f"{path}/init.sls")
