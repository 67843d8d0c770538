"""Which files a tree may read, and what was decided about it from outside.

A pull request's pillar, master file and mkdocs.yml are somebody else's: none of them widens what
they may do. Only the command line and the environment do.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.roots.files import DISK, Files
from pillarbook.roots.no_links import is_inside


class OutsideReachError(PillarbookError):
    """A path that leads to where the tree may not read."""

    def __init__(self, path: Path, *, into_git: bool = False) -> None:
        self.path = path
        """The path as it was asked for."""
        self.reason = "leads into .git" if into_git else "leads out of the repository"
        """What is wrong with it, to follow its name."""
        self.remedy = (
            "use --allow DIR for a folder that may be read, or --trust for a tree you trust"
        )
        """What to do about it."""
        super().__init__(f"{path} {self.reason} ({self.remedy})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What the command line and the environment allow a tree to do."""

    given: bool = False
    """``--trust`` or ``PILLARBOOK_TRUST=1``: all that its files ask for."""
    python: bool = False
    """``--python``: run code of the tree for this run."""
    reveal: bool = False
    """``--reveal``: decrypt, and print clear values, for this run."""

    @property
    def keys(self) -> bool:
        """Whether the master's ``gpg_keydir`` counts, wherever it lies."""
        return self.given or self.python or self.reveal


@dataclass(frozen=True, slots=True)
class Reach:
    """The folders below which a tree may read."""

    allowed: tuple[Path, ...]
    """Resolved folders."""
    trusting: bool = False
    """Whether a place that the options name counts wherever it lies; links never do."""
    files: Files = field(default=DISK, compare=False)
    """Where files are read from."""

    def allows(self, path: Path) -> bool:
        """Say whether an already resolved path may be read: what git keeps may not."""
        return any(is_inside(path, folder) for folder in self.allowed)

    def covers(self, path: Path) -> bool:
        """Say the same for what reads git's own files, such as commits of the repository."""
        return any(path.is_relative_to(folder) for folder in self.allowed)

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed.

        Raises:
            OutsideReachError: It leads outside, or its links lead nowhere.
        """
        resolved = _follow(path, self.files)
        if not self.allows(resolved):
            raise OutsideReachError(path, into_git=self.covers(resolved))
        return resolved

    def resolve_declared(self, path: Path) -> Path:
        """Return a path that the options name, as ``resolve`` does; anywhere where trusting.

        Raises:
            OutsideReachError: It leads outside and nobody trusted the tree.
        """
        return _follow(path, self.files) if self.trusting else self.resolve(path)

    def widened(self, *folders: Path) -> "Reach":
        """Return a reach that takes in these folders as well."""
        found = (_follow(folder, self.files) for folder in folders)
        more = tuple(folder for folder in found if not self.allows(folder))
        return replace(self, allowed=self.allowed + more) if more else self


def find_reach(
    master: Path,
    *,
    allow: tuple[Path, ...] = (),
    trust: Trust | None = None,
    files: Files = DISK,
) -> Reach:
    """Return what a tree may read: its repository, else the master file's folder.

    Args:
        master: Salt's master file.
        allow: Folders that the user added (``--allow``).
        trust: What was decided from outside; nothing where it is None.
        files: Where files are read from.
    """
    folder = _follow(master.absolute().parent, files)
    home = find_repository(folder, files) or folder
    return Reach((home,), trusting=trust is not None and trust.given, files=files).widened(*allow)


def find_repository(folder: Path, files: Files = DISK) -> Path | None:
    """Return the nearest folder upwards that holds ``.git``, a folder or (in a worktree) a file."""
    return files.repository_of(_follow(folder, files))


def files_of(reach: Reach | None) -> Files:
    """Return where files are read from: the disk where nothing is said."""
    return DISK if reach is None else reach.files


def _follow(path: Path, files: Files) -> Path:
    try:
        return files.resolve(path)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, or a NUL in the name
        raise OutsideReachError(path) from error
