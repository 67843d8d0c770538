"""The permissions of a tree, and warnings about settings that have no effect without trust.

``--trust``, ``--python``, ``--reveal`` and ``--allow`` decide; the tree's own files never do.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.reach import OutsideReachError, Reach, Trust, find_reach, find_repository
from pillarbook.inventory.settings import Settings
from pillarbook.inventory.settings_checks import CODE
from pillarbook.model import Position
from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.no_links import GIT

_HELP = "if you trust the tree, use --trust or set PILLARBOOK_TRUST=1"
_COMMIT_IT = "commit it, or compare commits that have it"
UNEQUAL = "equal secrets of different sources have different tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What a tree may do in this run."""

    python: bool
    """Whether its code may run."""
    decrypt: bool
    """Whether its ciphertext may be decrypted."""
    equality: bool
    """Whether equal secrets have equal tokens, whatever their sources."""
    reach: Reach
    """What it may read."""
    named_in: Reach | None
    """Where files must be that the tree's configuration names; None if they may be anywhere."""
    paths: Mapping[str, Path]
    """Local paths by the absolute paths, or URLs, of the master that they replace."""
    ext_pillars: Mapping[str, Path]
    """The files that answer external pillars."""


def decide(
    settings: Settings, trust: Trust, *, allow: tuple[Path, ...] = (), files: Files = DISK
) -> tuple[Permissions, tuple[Diagnostic, ...]]:
    """Return the permissions, and a diagnostic for each setting that has no effect without trust.

    Raises:
        SettingsError: mkdocs.yml is in a repository that is not trusted, and names a master file
            or an inventory outside of it.
    """
    reach = find_reach(settings.master, allow=allow, trust=trust, files=files)
    named_in = _keep_inside(settings, trust, allow, files)
    diagnostics = [
        _warn(settings, name, f"'{name}: true' has no effect without trust: {effect}", _HELP)
        for name, asked, counts, effect in (
            ("python", settings.python, trust.python, "code of the tree does not run"),
            ("decrypt", settings.decrypt, trust.reveal, "ciphertext stays encrypted"),
            ("redact: equality", settings.redact.equality, False, UNEQUAL),
        )
        if asked and not counts and not trust.given
    ]
    paths = dict(_keep_reached("paths", settings, reach, diagnostics))
    answers = dict(_keep_reached("ext_pillars", settings, reach, diagnostics))
    if trust.given:
        reach = reach.widened(*paths.values())
    permissions = Permissions(
        python=trust.python or (settings.python and trust.given),
        decrypt=trust.reveal or (settings.decrypt and trust.given),
        equality=settings.redact.equality and trust.given,
        reach=reach,
        named_in=named_in,
        paths=paths,
        ext_pillars=answers,
    )
    return permissions, tuple(diagnostics)


def refuse_missing_files(
    settings: Settings, files: Files = DISK, *, commit: str | None = None
) -> None:
    """Refuse a configuration whose master file or inventory does not exist.

    The readers of these files name only the file; the user has to correct mkdocs.yml. Settings
    without a configuration file have no positions. ``commit`` is the name of the commit that has
    these files; None for the disk.

    Raises:
        SettingsError: With every fault.
    """
    faults = []
    place, remedy = (f"in {commit} ", _COMMIT_IT) if commit else ("", None)
    for name, path in _named_files(settings) if settings.positions else ():
        if files.is_file(path):
            continue
        inside = path.is_relative_to(settings.folder)
        shown = path.relative_to(settings.folder) if inside else path
        reason = "is not a file" if files.exists(path) else "does not exist"
        message = f"{place}'{name}' names {shown}, which {reason}"
        line = _place(settings, name)
        faults.append(new_diagnostic(CODE, message, line, path=(name,), remedy=remedy))
    if faults:
        raise SettingsError(faults)


def _named_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    yield "master", settings.master
    yield from (("inventory", path) for path in settings.inventory)


def _place(settings: Settings, name: str) -> Position:
    return settings.positions.get(name, Position("mkdocs.yml"))


def _keep_inside(
    settings: Settings, trust: Trust, allow: tuple[Path, ...], files: Files
) -> Reach | None:
    """Refuse files outside of the configuration's repository; return where they must be.

    A configuration outside of a repository is not part of a pull request. Neither are options of
    the command line (``--master``, ``--inventory``), which have no positions.
    """
    home = find_repository(settings.folder, files)
    if home is None or trust.given or not settings.positions:
        return None
    reach = Reach((home,), files=files).widened(*allow)
    faults = []
    for name, path in _named_files(settings):
        try:
            reach.resolve(path)
        except OutsideReachError as error:
            message, place = f"'{name}' {error.reason}", _place(settings, name)
            faults.append(new_diagnostic(CODE, message, place, path=(name,), remedy=error.remedy))
    if faults:
        raise SettingsError(faults)
    return reach


def _keep_reached(
    option: str, settings: Settings, reach: Reach, diagnostics: list[Diagnostic]
) -> Iterator[tuple[str, Path]]:
    """Yield the names and paths of an option that may be read; add a diagnostic for the others."""
    mapped: Mapping[str, str] = getattr(settings, option)
    for name, local in mapped.items():
        path = settings.folder / local
        try:
            # A clone may be named by its .git; nothing but git's own readers looks into that.
            reach.resolve_declared(path.parent if path.name == GIT else path)
        except OutsideReachError:
            setting = f"{option}: {name}"
            message = f"'{setting}' leads out of the repository and has no effect"
            diagnostics.append(_warn(settings, setting, message, f"{_HELP}, or --allow DIR"))
            continue
        yield name, path


def _warn(settings: Settings, setting: str, message: str, remedy: str) -> Diagnostic:
    option, separator, key = setting.partition(": ")
    return new_diagnostic(
        "needs-trust",
        message,
        settings.positions.get(option),
        path=(option, key) if separator else (option,),
        remedy=remedy,
    )
