"""Replacing a site by its new version in one step.

A site is written into a folder beside its target, and the two change names. Where the system has
no such step the target is moved away and the new site moved in. A command that is killed between
the two leaves both complete under names that say so, and the next one finishes its work:

    .site.pillarbook-1a2b3c4d    being written, or after the exchange the old site
    .site.pillarbook-ready       complete, to become the site
    .site.pillarbook-previous    the old site, to be removed

Hidden entries at the top of the target (``.git``, ``.nojekyll``) are not the site's, as they are
not for MkDocs; they move along to the new one.
"""

import errno
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Literal, TypeAlias

from pillarbook.publish.exchange import exchange
from pillarbook.publish.site_folder import Kept, PublishError, mark_site, refuse_target
from pillarbook.publish.synchronise import synchronise

if sys.platform != "win32":
    import fcntl

Published: TypeAlias = Literal["at once", "file by file"]
"""How a site got to its place; a reader can see a mixture while it goes file by file."""

_CANNOT_RENAME = frozenset({errno.EBUSY, errno.EXDEV})
_CANNOT_WRITE_BESIDE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class StagedSite:
    """A site on its way: a folder to write into, and then a step to its place."""

    def __init__(self, target: Path, folder: Path) -> None:
        self.target = target
        """Where the site is to be."""
        self.folder = folder
        """Where it is written."""
        self.left: list[Path] = []
        """Folders of earlier sites that cannot be removed."""
        self._lock = lock_folder(folder)

    def publish(self) -> Published:
        """Put the site into its place and remove the one before.

        Raises:
            PublishError: The disk refuses; the site before stands, unless it goes file by file.
        """
        try:
            try:
                how = self._rename()
            except OSError as error:
                if error.errno not in _CANNOT_RENAME:
                    raise
                how = self._synchronise()
        except OSError as error:
            raise PublishError(self.target, error.strerror or str(error)) from error
        finally:
            self._unlock()
        return how

    def discard(self) -> None:
        """Remove what was written; the site before stands."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._unlock()

    def _rename(self) -> Published:
        if self.folder.parent != self.target.parent:
            return self._synchronise()
        if not self.target.exists():
            self.folder.rename(self.target)
            return "at once"
        shutil.copymode(self.target, self.folder)
        if exchange(self.folder, self.target):
            self._retire(self.folder)
        else:
            self._rename_twice()
        return "at once"

    def _rename_twice(self) -> None:
        ready, previous = _ready(self.target), _previous(self.target)
        self.folder = self.folder.rename(ready)
        self.target.rename(previous)
        try:
            ready.rename(self.target)
        except OSError:
            previous.rename(self.target)
            raise
        self._retire(previous)

    def _retire(self, folder: Path) -> None:
        if not _retire(folder, self.target):
            self.left.append(folder)

    def _synchronise(self) -> Published:
        self.target.mkdir(exist_ok=True)
        synchronise(self.folder, self.target)
        shutil.rmtree(self.folder, ignore_errors=True)
        return "file by file"

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def stage(target: Path, kept: Kept | None = None) -> StagedSite:
    """Begin a new version of the site at ``target``; first finish what a killed command left.

    Args:
        target: Where the site is to be; what is there will go.
        kept: What belongs to the user and must not go with it.

    Raises:
        PublishError: There is no place to write to, or the target is no place for a site.
    """
    target = target.resolve()
    try:
        refuse_target(target, kept or Kept())
        target.parent.mkdir(parents=True, exist_ok=True)
        left = finish_interrupted(target)
        site = StagedSite(target, _make_folder(target))
        site.left.extend(left)
        mark_site(site.folder)
    except OSError as error:
        raise PublishError(target, error.strerror or str(error)) from error
    return site


def finish_interrupted(target: Path) -> list[Path]:
    """Complete what a command that was killed has begun with the site at ``target``.

    Returns:
        Folders of earlier sites that cannot be removed.
    """
    named = (_ready(target), _previous(target))
    complete = [folder for folder in named if folder.is_dir()]
    if complete and not target.exists():
        complete[0].rename(target)
    left = [folder for folder in complete if not _retire(folder, target)]
    others = [path for path in target.parent.iterdir() if path.name.startswith(_prefix(target))]
    for folder in others:
        if folder in complete:
            continue
        try:
            lock = lock_folder(folder)
        except OSError:  # not ours to look into, so nothing that is at work
            left.append(folder)
            continue
        if lock is not None:
            os.close(lock)
            if not _retire(folder, target):
                left.append(folder)
    return left


def _make_folder(target: Path) -> Path:
    folder = target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}")
    try:
        folder.mkdir()
    except OSError as error:
        if error.errno not in _CANNOT_WRITE_BESIDE or not target.is_dir():
            raise
        return Path(tempfile.mkdtemp(prefix="pillarbook-site-"))
    return folder


def _retire(folder: Path, target: Path) -> bool:
    """Remove a folder that is no longer the site, after its hidden entries have moved along.

    Returns:
        Whether it is gone; what cannot be removed now, the next command tries again.
    """
    if not folder.is_dir():
        return True
    try:
        for entry in folder.iterdir() if target.is_dir() else ():
            if entry.name.startswith(".") and not os.path.lexists(target / entry.name):
                entry.rename(target / entry.name)
    except FileNotFoundError:
        return True  # another command is at the same work
    except OSError:
        return False  # a hidden entry that cannot move along must not go
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.is_dir()


def lock_folder(folder: Path) -> int | None:
    """Return an open lock on a folder, or None where another command holds it.

    The system lets go of it when a command ends, however that ends.
    """
    if sys.platform == "win32":
        return None
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
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
