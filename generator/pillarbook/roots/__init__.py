"""Read-only file trees: the folders of ``pillar_roots``, and the trees of a git revision."""

from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.folder import FolderTree
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import GitHome, find_home
from pillarbook.roots.mounted import MountedTree
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision import RevisionTree
from pillarbook.roots.revisions import RevisionError, Revisions, UnknownRevisionError
from pillarbook.roots.side_contents import SideContents
from pillarbook.roots.stack import Roots
from pillarbook.roots.tree import FileTree, Found
from pillarbook.roots.work_tree import WorkTree

__all__ = [
    "CommitFiles",
    "FileTree",
    "FolderTree",
    "Found",
    "GitHome",
    "MountedTree",
    "Repository",
    "RepositoryError",
    "RevisionError",
    "RevisionTree",
    "Revisions",
    "Roots",
    "SideContents",
    "UnknownRevisionError",
    "WorkTree",
    "find_home",
]
