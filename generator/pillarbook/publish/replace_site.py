"""Replaces a site with its new version in one step.

A site is written into a folder beside its target, and the two folders exchange their names. If the
system has no such step, the target is moved away and the new site moved in. If a command is killed
between these moves, both are complete, and the next command finishes its work by their names:

    .site.pillarbook-1a2b3c4d    being written (it says so), or after the exchange the old site
    .site.pillarbook-ready       complete, to become the site
    .site.pillarbook-previous    the old site, to be removed

Hidden entries at the top of the target (``.git``, ``.nojekyll``) are not part of the site, as for
MkDocs; they are moved to the new one.

The folder around the target is opened once, without following links, and all operations use that
descriptor. So nothing is written elsewhere, even if names change meanwhile.
"""

import ctypes
import errno
import fcntl
import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from pillarbook.inventory.reach import LinkPolicy, Trust
from pillarbook.inventory.settings import Settings
from pillarbook.publish.site_folder import (
    UNFINISHED,
    Kept,
    PublishError,
    begin_site,
    finish_site,
    refuse_links,
    refuse_target,
)
from pillarbook.publish.sources import find_kept
from pillarbook.publish.synchronise import synchronise
from pillarbook.roots.no_links import open_folder, path_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from pillarbook.session import RunOptions

PublishMethod: TypeAlias = Literal["at once", "file by file"]
"""How a site was replaced; with "file by file", a reader may see old and new files meanwhile."""

_CANNOT_RENAME = frozenset({errno.EBUSY, errno.EXDEV})
_CANNOT_WRITE_BESIDE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Held:
    """The folders of a site, as open descriptors."""

    target: Path
    """The folder of the site."""
    staged: Path
    """The folder that the site is written to, by its name."""
    written: Path
    """The same folder by its descriptor, even if the name changes."""
    open: ExitStack
    """Closes the folders."""


class StagedSite:
    """A new version of a site: a folder to write to, and the step that publishes it."""

    def __init__(self, target: Path, held: Held) -> None:
        self.target = target
        """The folder of the site."""
        self.folder = held.written
        """The folder to write to; the path is invalid after the site is published."""
        self.left: list[Path] = []
        """Folders of earlier sites that cannot be removed."""
        self._held = held
        self._lock = lock_folder(held.staged)

    def publish(self) -> PublishMethod:
        """Publish the site, and remove the previous one.

        Raises:
            PublishError: The disk refuses; the previous site is unchanged, unless it goes file by
                file. The written files remain until they are discarded.
        """
        try:
            finish_site(self.folder)
            try:
                how = self._rename()
            except OSError as error:
                if error.errno not in _CANNOT_RENAME:
                    raise
                how = self._synchronise()
        except OSError as error:
            raise PublishError(self.target, error.strerror or str(error)) from error
        self._let_go()
        return how

    def discard(self) -> None:
        """Remove the written files; the previous site is unchanged."""
        shutil.rmtree(self._held.staged, ignore_errors=True)
        self._let_go()

    def _rename(self) -> PublishMethod:
        staged, target = self._held.staged, self._held.target
        # Elsewhere, a rename may cross file systems.
        if staged.parent != target.parent:
            return self._synchronise()
        if not os.path.lexists(target):
            staged.rename(target)
            return "at once"
        # Before the exchange: until then the new folder is private, and a web server may read the
        # old one.
        shutil.copymode(target, staged)
        if exchange(staged, target):
            self._retire(staged)
        else:
            self._rename_twice()
        return "at once"

    # Each name shows the progress, so that `finish_interrupted` can continue after a kill.
    def _rename_twice(self) -> None:
        target = self._held.target
        ready, previous = _ready(target), _previous(target)
        self._held.staged.rename(ready)
        target.rename(previous)
        try:
            ready.rename(target)
        except OSError:
            previous.rename(target)
            raise
        self._retire(previous)

    def _retire(self, folder: Path) -> None:
        if not _retire(folder, self._held.target):
            self.left.append(self.target.with_name(folder.name))

    def _synchronise(self) -> PublishMethod:
        self._held.target.mkdir(exist_ok=True)
        synchronise(self.folder, self._held.target)
        shutil.rmtree(self._held.staged, ignore_errors=True)
        return "file by file"

    def _let_go(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        self._held.open.close()


def stage(target: Path, kept: Kept | None = None, links: LinkPolicy | None = None) -> StagedSite:
    """Begin a new version of the site at ``target``; first finish the work of a killed command.

    Raises:
        PublishError: No folder to write to can be made, or the target may not become a site.
        LinkLeadsOutError: A link of the tree leads elsewhere.
    """
    links = links or LinkPolicy()
    with ExitStack() as undone:
        try:
            real = links.resolve(target)
            refuse_target(real, kept or Kept())
            refuse_links(real, links)
            around = undone.enter_context(open_folder(real.parent, make=True))
            held_target = path_of(around, real.parent) / real.name
            left = finish_interrupted(held_target)
            staged, named = _make_folder(held_target, real)
            written = path_of(undone.enter_context(open_folder(named)), named)
            site = StagedSite(real, Held(held_target, staged, written, undone.pop_all()))
            site.left.extend(real.with_name(folder.name) for folder in left)
            begin_site(site.folder)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise PublishError(target, why or str(error)) from error
    return site


def finish_interrupted(target: Path) -> list[Path]:
    """Complete the work of a killed command on a site; return folders that cannot be removed."""
    named = (_ready(target), _previous(target))
    complete = [folder for folder in named if _is_folder(folder)]
    if complete and not os.path.lexists(target):
        complete[0].rename(target)
    left = [folder for folder in complete if not _retire(folder, target)]
    others = [path for path in target.parent.iterdir() if path.name.startswith(_prefix(target))]
    for folder in others:
        if folder in complete:
            continue
        if not _is_folder(folder):  # such as a link: not made by us, and not followed
            left.append(folder)
            continue
        try:
            lock = lock_folder(folder)
        except OSError:  # not readable, so no running command of this user
            left.append(folder)
            continue
        if lock is not None:
            os.close(lock)
            if not _retire(folder, target):
                left.append(folder)
    return left


def _make_folder(target: Path, real: Path) -> tuple[Path, Path]:
    """Make a folder to write into; return its path beside the target, and the one without links."""
    folder = target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}")
    try:
        folder.mkdir()
    except OSError as error:
        if error.errno not in _CANNOT_WRITE_BESIDE or not target.is_dir():
            raise
        elsewhere = Path(os.path.realpath(tempfile.mkdtemp(prefix="pillarbook-site-")))
        return elsewhere, elsewhere
    return folder, real.with_name(folder.name)


def _is_folder(path: Path) -> bool:
    """Say whether a path is a folder itself, and not a link to one."""
    return path.is_dir() and not path.is_symlink()


def _retire(folder: Path, target: Path) -> bool:
    """Remove a folder that is no longer the site, after its hidden entries were moved.

    If it cannot be removed now (False), the next command tries again.
    """
    if folder.is_symlink():
        folder.unlink()  # somebody replaced the site with a file meanwhile
    if not folder.is_dir():
        return True
    try:
        # What is unfinished was not searched for secrets.
        if _is_folder(target) and not os.path.lexists(folder / UNFINISHED):
            _move_hidden(folder, target)
    except FileNotFoundError:
        return True  # another command does the same work
    except OSError:
        return False  # a hidden entry that cannot be moved must be kept
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.is_dir()


def _move_hidden(folder: Path, target: Path) -> None:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    with ExitStack() as opened:
        source = os.open(folder, flags)
        opened.callback(os.close, source)
        goal = os.open(target, flags)
        opened.callback(os.close, goal)
        for name in os.listdir(source):  # noqa: PTH208 (of what is open)
            if name.startswith(".") and not _has_entry(goal, name):
                os.rename(name, name, src_dir_fd=source, dst_dir_fd=goal)


def _has_entry(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def lock_folder(folder: Path) -> int | None:
    """Return an open lock on a folder, or None if another command holds it.

    The system releases it when a command ends in any way.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _prefix(target: Path) -> str:
    return f".{target.name}.pillarbook-"


def _ready(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}ready")


def _previous(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}previous")


_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_SUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM})


def exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two existing folders in one step.

    It is False if the system or the file system does not support it; then nothing has changed.

    Source: renameat2(2), which glibc has since 2.28.

    Raises:
        OSError: It is supported, but not for these two.
    """
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    renameat2.argtypes = (
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
    )
    first, second = os.fsencode(one), os.fsencode(other)
    if renameat2(_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_SUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(one), None, str(other))


def stage_site(
    config: "MkDocsConfig", settings: Settings, options: "RunOptions", kept: tuple[Path, ...]
) -> StagedSite:
    """Make a folder beside the site.

    It is not within the site, as nothing is published before the leak gate has seen all
    (docs/decisions/0016).

    Raises:
        PublishError: The site's folder may not be replaced.
    """
    custom = config.theme.custom_dir
    own = (Path(config.docs_dir), *([Path(custom)] if custom else []), *kept)
    found = find_kept(settings, Trust(given=options.trust), options.allow, own)
    links = LinkPolicy(homes=(settings.folder,), allow=options.allow, trusted=options.trust)
    return stage(Path(config.site_dir), found, links)
