"""Read-only file trees: the folders of ``pillar_roots`` and, later, the trees of a git revision."""

from pillarbook.roots.folder import FolderTree
from pillarbook.roots.stack import Roots
from pillarbook.roots.tree import FileTree, Found

__all__ = ["FileTree", "FolderTree", "Found", "Roots"]
