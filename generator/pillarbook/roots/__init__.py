"""Read-only file trees: the folders of ``pillar_roots``, and the trees of a git revision."""

from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.folder import FolderTree
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import GitHome, find_home
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision import RevisionTree
from pillarbook.roots.revision_names import RevisionError, Revisions, UnknownRevisionError
from pillarbook.roots.side_contents import SideContents
from pillarbook.roots.tree_interface import FileTree, FoundFile, MountedTree
from pillarbook.roots.work_tree import WorkTree

__all__ = [
    "CommitFiles",
    "FileTree",
    "FolderTree",
    "FoundFile",
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
