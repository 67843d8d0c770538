"""Which files a tree may read, and which links lead to files that the user names.

A pull request's pillar, master file, mkdocs.yml and links are from somebody else: none of them
gives them more permissions. Only the command line and the environment do.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.roots.file_access import DISK, Files, is_given
from pillarbook.roots.no_links import Followed, follow_path, is_inside


class OutsideReachError(PillarbookError):
    """A path that leads outside of what the tree may read."""

    def __init__(self, path: Path, *, into_git: bool = False) -> None:
        self.path = path
        """The path as it was requested."""
        self.reason = "leads into .git" if into_git else "leads out of the repository"
        """What is wrong with it; follows its name in a sentence."""
        self.remedy = "allow the folder with --allow DIR, or use --trust if you trust the tree"
        """What to do about it."""
        super().__init__(f"{path} {self.reason} ({self.remedy})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What the command line and the environment allow a tree to do."""

    given: bool = False
    """``--trust`` or ``PILLARBOOK_TRUST=1``: allow all that the tree's files ask for."""
    python: bool = False
    """``--python``: run code of the tree for this run."""
    reveal: bool = False
    """``--reveal``: decrypt, and print clear values, for this run."""

    @property
    def keys(self) -> bool:
        """Whether the master's ``gpg_keydir`` is used, for any folder."""
        return self.given or self.python or self.reveal


@dataclass(frozen=True, slots=True)
class Reach:
    """The folders that a tree may read."""

    allowed: tuple[Path, ...]
    """Resolved folders."""
    trusting: bool = False
    """Whether a path that the options name may lead anywhere; links never may."""
    files: Files = field(default=DISK, compare=False)
    """Where files are read from."""

    def allows(self, path: Path) -> bool:
        """Say whether an already resolved path may be read; git's own files may not."""
        return any(is_inside(path, folder) for folder in self.allowed)

    def covers(self, path: Path) -> bool:
        """Say whether a resolved path may be read by readers of git's files, such as commits."""
        return any(path.is_relative_to(folder) for folder in self.allowed)

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed.

        Raises:
            OutsideReachError: It leads outside, or its links are broken.
        """
        resolved = _follow(path, self.files)
        if not self.allows(resolved):
            raise OutsideReachError(path, into_git=self.covers(resolved))
        return resolved

    def resolve_declared(self, path: Path) -> Path:
        """Return a path that the options name, with its links followed; any path if ``trusting``.

        Raises:
            OutsideReachError: It leads outside and the tree is not trusted.
        """
        return _follow(path, self.files) if self.trusting else self.resolve(path)

    def reaches(self, path: Path) -> bool:
        """Say whether a path that the options name may be read, with its links followed."""
        try:
            self.resolve_declared(path)
        except OutsideReachError:
            return False
        return True

    def read(self, path: Path, most: int = -1) -> bytes:
        """Return the content of a file that the options name, or its first ``most`` bytes.

        The target of its links is checked, and then opened without following links again.

        Raises:
            OutsideReachError: It leads outside and the tree is not trusted.
            OSError: It cannot be read.
        """
        real = self.resolve_declared(path)
        if is_given(path):  # its target is the pipe of a shell, which has no path
            return self.files.read(path, most)
        return self.files.read(real, most, follow=False)

    def widened(self, *folders: Path) -> "Reach":
        """Return a reach that also has these folders."""
        found = (_follow(folder, self.files) for folder in folders)
        more = tuple(folder for folder in found if not self.allows(folder))
        return replace(self, allowed=self.allowed + more) if more else self


def find_reach(
    master: Path, *, allow: tuple[Path, ...] = (), trust: Trust | None = None, files: Files = DISK
) -> Reach:
    """Return what a tree may read: its repository, or the master file's folder, and ``allow``."""
    folder = _follow(master.absolute().parent, files)
    home = find_repository(folder, files) or folder
    return Reach((home,), trusting=trust is not None and trust.given, files=files).widened(*allow)


def find_repository(folder: Path, files: Files = DISK) -> Path | None:
    """Return the nearest folder upwards that holds ``.git``, a folder or (in a worktree) a file."""
    return files.repository_of(_follow(folder, files))


def find_top(folder: Path, files: Files = DISK) -> Path:
    """Return the folder that the names of files count from, as it is written above a folder.

    It is the repository's, or the folder itself if it is in none.
    """
    home = find_repository(folder, files)
    above = (one for one in (folder, *folder.parents) if _follow(one, files) == home)
    return folder if home is None else next(above, folder)


def files_of(reach: Reach | None) -> Files:
    """Return where files are read from: the disk if there is no reach."""
    return DISK if reach is None else reach.files


def _follow(path: Path, files: Files) -> Path:
    try:
        return files.resolve(path)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, or a NUL in the name
        raise OutsideReachError(path) from error


class LinkLeadsOutError(PillarbookError):
    """A link of the tree is on the path to a file that the user named."""

    def __init__(self, link: Path, real: Path, home: Path) -> None:
        target = "into .git" if real.is_relative_to(home) else "out of the repository"
        super().__init__(
            f"{link} is a link that leads {target}, to {real}, and is not followed; "
            f"remove the link, or use --allow {folder_of(real)} or --trust if you trust it"
        )


def folder_of(real: Path) -> Path:
    """Return the folder to give to ``--allow`` for a file or folder."""
    return real if real.is_dir() else real.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPolicy:
    """Decides which links are followed on the path to a file that the user named.

    The path itself is the user's decision. A link in the tree is the decision of its author, who
    may be the author of a pull request.
    """

    homes: tuple[Path, ...] = ()
    """Folders whose links must not lead out of them; repositories are found in addition."""
    allow: tuple[Path, ...] = ()
    """Folders that the user added (``--allow``); links may lead there."""
    trusted: bool = False
    """Whether links may lead anywhere (``--trust``)."""

    def resolve(self, path: Path) -> Path:
        """Return the target of a path; it is then opened without following links again.

        Raises:
            LinkLeadsOutError: A link in a repository leads out of it.
            OSError: A loop of links.
            ValueError: A NUL in the name.
        """
        followed = follow_path(path)
        added = (follow_path(folder).real for folder in self.allow)
        if not self.trusted and not any(map(followed.real.is_relative_to, added)):
            self._refuse(followed)
        return followed.real

    def _refuse(self, followed: Followed) -> None:
        homes = [follow_path(home).real for home in self.homes]
        for link in followed.links:
            around = [home for home in homes if link.is_relative_to(home)]
            outermost = min(around, key=lambda home: len(home.parts), default=None)
            home = find_repository(link.parent) or outermost
            if home is not None and not is_inside(followed.real, home):
                raise LinkLeadsOutError(link, followed.real, home)
