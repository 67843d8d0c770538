"""The sources of the files of both sides."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pillarbook.changes.comparison.resolve_sides import DEFAULT_BASE, Side
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import OutsideReachError, Reach
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.inventory.settings_checks import CODE as INVALID
from pillarbook.model import Position
from pillarbook.model.limited_cache import recall
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import GitHome, find_home
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision_names import Revisions
from pillarbook.roots.side_contents import SideContents
from pillarbook.roots.work_tree import WorkTree

CODE = "not-compared"
"""The rule for files that are not compared."""


@dataclass(frozen=True, slots=True)
class SideFiles:
    """The files of one side."""

    files: Files
    contents: SideContents | None
    """The contents by git object; None for the working tree."""
    side: Side
    modules: dict[Path, SideContents | None] = field(default_factory=dict)
    """The contents of its submodules; None for one whose commit is not here."""

    def refuse_link_out(self, file: Path, allow: tuple[Path, ...], *, trusted: bool) -> None:
        """Refuse a file that the command names, if a link of the side leads to it from outside.

        Links on disk were checked before; this checks the links of a commit.

        ``allow`` are folders outside of the repository that may be read (``--allow``); with
        ``trusted``, links may lead anywhere (``--trust``).

        Raises:
            SettingsError: A link leads out.
        """
        if trusted or self.contents is None:
            return
        named = Path(os.path.realpath(file))  # unlike `Path.resolve`, no error for a loop of links
        try:
            Reach((self.side.home.folder, named), files=self.files).widened(*allow).resolve(file)
        except OutsideReachError as error:
            message = f"in {self.side.label} this file {error.reason}"
            fault = new_diagnostic(INVALID, message, Position(str(file)), remedy=error.remedy)
            raise SettingsError([fault]) from error

    def describe(self, shown: Callable[[Path], str]) -> Iterator[Diagnostic]:
        """Yield the diagnostics for files that are not compared."""
        if self.contents is None or not isinstance(self.files, CommitFiles):
            return
        for path, reason in self._not_compared(self.files, self.contents).items():
            name = shown(path)
            yield new_diagnostic(
                CODE,
                f"{name} {reason} in {self.side.label}, so it is not compared",
                Position(name),
                remedy=_remedy(reason),
            )

    def _not_compared(self, files: CommitFiles, contents: SideContents) -> dict[Path, str]:
        """Return the files that are not compared, with the reason."""
        home = self.side.home.folder
        found = {home / path: "cannot be listed" for path in files.missing}
        for top, one in {home: contents, **self.modules}.items():
            if one is None:
                found[top] = "is a submodule whose commit is not here"
            else:
                found.update((top / path, reason) for path, reason in one.not_compared.items())
        return found


def read_file(files: Files, path: Path, most: int = -1) -> bytes | None:
    """Return the content of a file, or its first bytes; None if it cannot be read."""
    real = follow_links(files, path)
    return None if real is None else _read_real(files, real, most)


def _read_real(files: Files, real: Path, most: int) -> bytes | None:
    try:
        return files.read(real, most, follow=False) if files.is_file(real) else None
    except OSError:
        return None


def read_allowed(options: MasterOptions, files: Files, path: Path, most: int) -> bytes | None:
    """Return what ``read_file`` returns, or None if a link leads to a forbidden file."""
    real = follow_links(files, path)
    return None if real is None or not options.may_read(real) else _read_real(files, real, most)


def follow_links(files: Files, path: Path) -> Path | None:
    """Return a path with its links followed; None for a loop of links."""
    try:
        return files.resolve(path)
    except (OSError, RuntimeError):
        return None


def names_in(files: Files, path: Path) -> list[str] | None:
    """Return the names in a folder; None if there is none that can be read."""
    try:
        return files.names(path) if files.is_dir(path) else None
    except OSError:  # among others a name that is too long, and a loop of links
        return None


def load_settings_at(
    side: Side, file: Path, *, allow: tuple[Path, ...] = (), trusted: bool = False
) -> Settings | None:
    """Return the settings of a side's own configuration; None if it has none.

    ``allow`` lists the folders outside of the repository that may be read (``--allow``); if the
    configuration is ``trusted``, it may be anywhere (``--trust``).

    Raises:
        SettingsError: The configuration has errors, or a link of the side leads out to it.
    """
    opened = _open_side(side, None)
    opened.refuse_link_out(file, allow, trusted=trusted)
    return load_settings(file, opened.files) if opened.files.is_file(file) else None


def open_files(base: Side, head: Side) -> tuple[SideFiles, SideFiles]:
    """Return the files of both sides; a file that git calls unmodified is the same on both."""
    home, repository = head.home, head.repository
    work = None if home.is_bare else WorkTree(repository, home.folder)
    second = _open_side(head, work)
    first = _open_side(base, work)
    if first.contents is not None:
        first.contents.other = _give(second, work)
        first.contents.hidden = _describe_hidden(second)
    commits = [one.files for one in (first, second) if isinstance(one.files, CommitFiles)]
    if work is not None:
        ignored = IgnoredFiles(commits, work)
        for one in (first, second):
            if isinstance(one.files, CommitFiles):
                one.modules.update(mount_submodules(one.files, home.folder))
                one.files.has_on_disk = ignored.has
    return first, second


def open_last_commit(side: Side) -> CommitFiles:
    """Return the files of the commit that is checked out in a working tree."""
    commit = Revisions(side.repository).find(DEFAULT_BASE)
    contents = SideContents(side.repository, None)
    return CommitFiles(side.repository, commit, side.home.folder, contents)


def _open_side(side: Side, work: WorkTree | None) -> SideFiles:
    if side.commit is None:
        return SideFiles(DISK, None, side)
    is_partial = side.repository.references.is_partial
    contents = SideContents(side.repository, work, is_partial=is_partial)
    files = CommitFiles(side.repository, side.commit, side.home.folder, contents)
    return SideFiles(files, contents, side)


def _give(head: SideFiles, work: WorkTree | None) -> Callable[[str], bytes | None]:
    """Return a function that gives the head's content of a plain file."""
    files, contents = head.files, head.contents

    def give(path: str) -> bytes | None:
        try:
            if isinstance(files, CommitFiles) and contents is not None:
                found = files.plain_id_of(path)
                return None if found is None else contents(path, found)
            return None if work is None else work.read(path)
        except OSError:
            return None

    return give


def _describe_hidden(head: SideFiles) -> Callable[[str], str | None]:
    files, contents = head.files, head.contents

    def describe(path: str) -> str | None:
        if not isinstance(files, CommitFiles) or contents is None:
            return None
        found = files.plain_id_of(path)
        return None if found is None else contents.why_hidden(path, found)

    return describe


def _remedy(reason: str) -> str:
    if "partial clone" in reason:
        return "`git fetch --refetch --filter=blob:limit=64m` fetches it"
    if "git-crypt" in reason or "LFS" in reason:
        return "compare checkouts of both revisions, with the filter installed"
    if "submodule" in reason:
        return "`git submodule update --init`, then `git fetch` in the submodule, fetch it"
    return "`git fetch` fetches it"


MODULES = ".gitmodules"
# Anybody can write `.gitmodules`.
MAX_MODULES = 1_000
"""The most submodules that are read."""
_PATH = re.compile(rb"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)


def mount_submodules(files: CommitFiles, home: Path) -> dict[Path, SideContents | None]:
    """Return the contents of each submodule of a commit, from its own repository if that is here.

    None stands for a submodule whose commit is not here, so that the files on disk count.
    """
    found: dict[Path, SideContents | None] = {}
    try:
        listed = _PATH.findall(files.read(home / MODULES))
    except OSError:
        return found
    around = find_home(home)
    within = (home, *(around.own if around is not None else ()))
    for name in listed[:MAX_MODULES]:
        path = home / name.strip(b'"').decode("utf-8", "surrogateescape")
        commit = files.submodule_at(path)
        home_of = None if commit is None else find_home(path, within)
        if commit is None or home_of is None or home_of.folder != path:
            continue  # not checked out: an empty folder
        module = _open_submodule(home_of, commit, files)
        found[path] = None if module is None else module[1]
        files.mount(path, DISK if module is None else module[0])
    return found


def _open_submodule(
    home: GitHome, commit: str, above: CommitFiles
) -> tuple[Files, SideContents] | None:
    """Return a submodule's files at a commit; None if it is not available."""
    folders = (home.folder, *home.own)

    def may_read(place: Path) -> bool:
        return any(place.is_relative_to(folder) for folder in folders)

    try:
        repository = Repository(home.folder, allowed=may_read)
        contents = SideContents(repository, WorkTree(repository, home.folder))
        files = CommitFiles(repository, commit, home.folder, contents, elsewhere=above)
    except RepositoryError:
        return None
    return files, contents


class IgnoredFiles:
    """The files on disk that git ignores; both sides have them, since they have no history."""

    def __init__(self, sides: Sequence[CommitFiles], work: WorkTree) -> None:
        self._sides = sides
        self._work = work
        # By path: neither the commits nor the list of ignored files changes in a run.
        self._known: dict[Path, bool] = {}

    def has(self, path: Path) -> bool:
        """Say whether a path leads to such a file, or to a folder of them."""
        return recall(self._known, path, partial(self._find, path))

    def _find(self, path: Path) -> bool:
        if ".git" in path.parts or not DISK.exists(path) or not self._work.ignores(path):
            return False
        return all(files.id_of(path) is None for files in self._sides)
