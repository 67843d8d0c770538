"""What each side declares: its own configuration, master file and inventory."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from pillarbook.changes.comparison.side_files import CODE, SideFiles
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import RedactRules, Settings, load_settings
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import DISK

FROM_DISK = "neither commit has {names}, so both are compared with these files as they are on disk"
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
    """The source of its files."""
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

    A side without a master file, or without any of the inventory's files, has no minions. But if
    the head's own configuration names files that do not exist, this is an error.

    ``settings`` are for a side that has no configuration. ``allow`` (``--allow``) and ``trusted``
    (``--trust``) say where links of a commit may lead.

    Raises:
        SettingsError: The configuration of a side has errors, or a link leads out to it; or neither
            side has a master file.
    """
    sides = base, head = _lend_declarations(settings, base, head)
    # The paths in a side's configuration are checked when the side is opened.
    named = (settings.file,) if settings.file else (settings.master, *settings.inventory)
    for side, file in product(sides, named):
        side.refuse_link_out(file, allow, trusted=trusted)
    of_base, of_head = (_settings_of(side, settings) for side in sides)
    redact = _either(of_base.redact, of_head.redact)
    first = _declare(base, replace(of_base, redact=redact), of_base.redact)
    second = DeclaredSide(head, replace(of_head, redact=redact), of_head.redact)
    # else a missing file that it names is an error of the user
    if not _is_configured(head, settings):
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


def _lend_declarations(
    settings: Settings, base: SideFiles, head: SideFiles
) -> tuple[SideFiles, SideFiles]:
    """Return both sides; with the declarations on disk if both are commits before the first one.

    So the history of a tree can be compared before anything of pillarbook is committed.
    """
    sides = [side.files for side in (base, head) if isinstance(side.files, CommitFiles)]
    named = (settings.file, settings.master, *settings.inventory)
    paths = [path for path in named if path is not None]
    if len(sides) < 2 or any(side.is_file(path) for side in sides for path in paths):
        return base, head
    lent = [path for path in paths if DISK.is_file(path)]
    for side in sides:
        for path in lent:
            side.mount(path, DISK)
    names = ", ".join(path.name for path in lent)
    notes = (*base.side.notes, FROM_DISK.format(names=names)) if lent else base.side.notes
    return replace(base, side=replace(base.side, notes=notes)), head


def _settings_of(side: SideFiles, given: Settings) -> Settings:
    if given.file is None or not _is_configured(side, given):
        return replace(given, ignore=())  # the rules for ignored changes must be its own
    return given if side.contents is None else load_settings(given.file, side.files)


def _is_configured(side: SideFiles, given: Settings) -> bool:
    """Say whether a side has a configuration of its own."""
    return given.file is not None and side.files.is_file(given.file)


def _declare(side: SideFiles, settings: Settings, own: RedactRules) -> DeclaredSide:
    if not side.files.is_file(settings.master):
        return DeclaredSide(side, settings, own, f"master file {settings.master.name}")
    there = tuple(path for path in settings.inventory if side.files.is_file(path))
    if not there:
        names = ", ".join(path.name for path in settings.inventory)
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
