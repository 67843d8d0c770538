"""What each side declares: its own configuration, master file and inventory."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from pillarbook.changes.comparison.side_files import CODE, SideFiles, follow_links, open_last_commit
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import RedactRules, Settings, load_settings
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import DISK, Files

BOTH_LACK = "neither commit has {names}, so both are compared with the {files} on disk"
UNCOMMITTED = "{names}: not committed, so both sides are compared with the {files} on disk"
_GRAINS_FILE = re.compile(rb"grains['\"]?[ \t]*:[ \t]*[^\s{#]")
"""The key ``grains`` with a value that may be the path of a file."""
STILL_HIDDEN = (
    "`redact` hides less in the head: these values are still hidden here, and everybody can read"
    " them after the merge"
)


@dataclass(frozen=True, slots=True)
class DeclaredSide:
    """One side, with its declarations."""

    files: SideFiles
    settings: Settings
    """Its settings, but with the rules for secrets of both sides."""
    redact: RedactRules
    """The rules for secrets in its own configuration."""
    lacks: str | None = None
    """The reason if the side lacks a file that a fleet needs; else None."""

    @property
    def minions(self) -> tuple[Minion, ...] | None:
        """An empty tuple if the side lacks what a fleet needs; None to read the inventory."""
        return None if self.lacks is None else ()

    def describe(self, shown: Callable[[Path], str]) -> Iterator[Diagnostic]:
        """Yield the diagnostics of the side after its files were read."""
        yield from self.files.describe(shown)
        if self.lacks is not None:
            yield new_diagnostic(
                CODE, f"{self.files.side.label} has no {self.lacks}, so it has no minions"
            )


def declare_sides(
    settings: Settings,
    base: SideFiles,
    head: SideFiles,
    *,
    allow: tuple[Path, ...] = (),
    trusted: bool = False,
) -> tuple[DeclaredSide, DeclaredSide]:
    """Return the declarations of both sides.

    Files that no commit has are read from disk on both sides. A side without a master file, or
    without any of the inventory's files, has no minions. But if the head's own configuration names
    files that do not exist, this is an error.

    ``settings`` are for a side that has no configuration. ``allow`` (``--allow``) and ``trusted``
    (``--trust``) say where links of a commit may lead.

    Raises:
        SettingsError: The configuration of a side has errors, or a link leads out to it; or neither
            side has a master file.
    """
    sides = base, head
    lender = _find_lender(settings, base, head)
    lender.lend(settings.file)
    # The paths in a side's configuration are checked when the side is opened.
    named = (settings.file,) if settings.file else (settings.master, *settings.inventory)
    for side, file in product(sides, named):
        side.refuse_link_out(file, allow, trusted=trusted)
    of_base, of_head = (_settings_of(side, settings) for side in sides)
    if head.contents is None and settings.file in lender.lent:
        of_base = replace(of_base, ignore=())  # a change must not hide itself
    lender.lend(of_base.master, of_head.master, *of_base.inventory, *of_head.inventory)
    base = replace(base, side=replace(base.side, notes=(*base.side.notes, *lender.notes)))
    redact = _either(of_base.redact, of_head.redact)
    first = _declare(base, replace(of_base, redact=redact), of_base.redact)
    second = DeclaredSide(head, replace(of_head, redact=redact), of_head.redact)
    is_lent = head.contents is not None and settings.file in lender.lent
    # else a missing file that it names is an error of the user
    if is_lent or not _is_configured(head, settings):
        second = _declare(head, second.settings, second.redact)
    # The side without a fleet is still opened, with the files of the other side.
    if first.lacks is not None and second.lacks is None:
        first = replace(first, files=_under(base, head), settings=second.settings)
    elif second.lacks is not None and first.lacks is None:
        second = replace(second, files=_under(head, base), settings=first.settings)
    elif first.lacks is not None:
        first, second = (replace(one, lacks=None) for one in (first, second))
    return first, second


def describe_hidden(base: RedactRules, head: RedactRules) -> tuple[str, ...]:
    """Return notes for the reader if the rules for secrets differ between both sides."""
    is_kept = set(base.keys) <= set(head.keys) and set(base.values) <= set(head.values)
    return () if is_kept and set(head.allow) <= set(base.allow) else (STILL_HIDDEN,)


def shares_fleet(base: DeclaredSide, head: DeclaredSide) -> bool:
    """Say whether both sides have the same inventory, byte by byte."""
    paths = head.settings.inventory
    if base.settings.inventory != paths or base.settings.master != head.settings.master:
        return False
    files = base.files.files
    # A link of a commit may lead out of it; the reader of the link checks this.
    if isinstance(files, CommitFiles) and any(files.id_of(path) is None for path in paths):
        return False
    try:
        contents = [head.files.files.read(path) for path in paths]
        others = [files.read(path) for path in paths]
    except OSError:
        return False
    return contents == others and not any(map(_GRAINS_FILE.search, contents))


@dataclass(slots=True)
class _Lender:
    """Lets both sides read from disk the declarations that no commit has.

    So a tree can be compared before anything of pillarbook is committed.
    """

    commits: tuple[CommitFiles, ...]
    """The commits that must all lack a file; empty if none is read from disk."""
    note: str
    """The note for the reader; with ``names`` and ``files``."""
    lent: list[Path] = field(default_factory=list)
    """The files that are read from disk."""

    def lend(self, *paths: Path | None) -> None:
        """Let all commits have the files on disk that none of them has."""
        for path in dict.fromkeys(paths):
            if path is None or not self.commits or _any_has(self.commits, path):
                continue
            if DISK.is_file(path):
                self.lent.append(path)
                for files in self.commits:
                    files.mount(follow_links(files, path) or path, DISK)

    @property
    def notes(self) -> Iterator[str]:
        """The note for the reader, if any file is read from disk."""
        if self.lent:
            names = ", ".join(path.name for path in self.lent)
            yield self.note.format(names=names, files="file" if len(self.lent) == 1 else "files")


def _find_lender(settings: Settings, base: SideFiles, head: SideFiles) -> _Lender:
    """Return what lends the declarations on disk to the commits of both sides.

    The working tree lends only its first declarations. A file that is missing beside a committed
    configuration is a change: see docs/decisions/0018.
    """
    sides = base.files, head.files
    commits = tuple(files for files in sides if isinstance(files, CommitFiles))
    if head.contents is not None or not commits:
        return _Lender(commits, BOTH_LACK)
    commits = (*commits, open_last_commit(head.side))
    first = (settings.file,) if settings.file else (settings.master, *settings.inventory)
    is_first = not any(_any_has(commits, path) for path in first)
    return _Lender(commits if is_first else (), UNCOMMITTED)


def _any_has(commits: Iterable[Files], path: Path) -> bool:
    return any(files.is_file(path) for files in commits)


def _settings_of(side: SideFiles, given: Settings) -> Settings:
    if given.file is None or not _is_configured(side, given):
        return replace(given, ignore=())  # the rules for ignored changes must be its own
    return given if side.contents is None else load_settings(given.file, side.files)


def _is_configured(side: SideFiles, given: Settings) -> bool:
    """Say whether a side has a configuration of its own."""
    return given.file is not None and side.files.is_file(given.file)


def _declare(side: SideFiles, settings: Settings, own: RedactRules) -> DeclaredSide:
    if not side.files.is_file(settings.master):
        return DeclaredSide(side, settings, own, f"master file '{settings.master.name}'")
    there = tuple(path for path in settings.inventory if side.files.is_file(path))
    if not there:
        names = ", ".join(f"'{path.name}'" for path in settings.inventory)
        return DeclaredSide(side, settings, own, f"inventory {names}")
    return DeclaredSide(side, replace(settings, inventory=there), own)


def _under(side: SideFiles, other: SideFiles) -> SideFiles:
    """Return a side with the files of the other side."""
    return replace(other, side=side.side)


def _either(one: RedactRules, other: RedactRules) -> RedactRules:
    """Return rules by which everything is secret that either set calls secret."""
    return RedactRules(
        keys=tuple(dict.fromkeys([*one.keys, *other.keys])),
        values=tuple(dict.fromkeys([*one.values, *other.values])),
        allow=tuple(pattern for pattern in one.allow if pattern in other.allow),
    )
