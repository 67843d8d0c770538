"""What of the things that a tree asks for counts, and what there is to say about the rest.

``--trust``, ``--python``, ``--reveal`` and ``--allow`` decide it; the tree's own files never do.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.inventory.faults import SettingsError, new_fault
from pillarbook.inventory.reach import OutsideReachError, Reach, Trust, find_reach, find_repository
from pillarbook.inventory.settings import Settings
from pillarbook.inventory.settings_checks import CODE
from pillarbook.model import Position
from pillarbook.roots.files import DISK, Files
from pillarbook.roots.no_links import GIT

_HELP = "use --trust, or set PILLARBOOK_TRUST=1, for a tree that you trust"
UNEQUAL = "equal secrets of different sources have different tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What a tree may do in this run."""

    python: bool
    """Whether its code runs."""
    decrypt: bool
    """Whether its ciphertext is decrypted."""
    equality: bool
    """Whether equal secrets have equal tokens, wherever they come from."""
    reach: Reach
    """What it may read."""
    paths: Mapping[str, Path]
    """Where absolute paths of the master lie here."""
    ext_pillars: Mapping[str, Path]
    """The files that answer external pillars."""


def decide(
    settings: Settings, trust: Trust, *, allow: tuple[Path, ...] = (), files: Files = DISK
) -> tuple[Permissions, tuple[Diagnostic, ...]]:
    """Return what counts, and a diagnostic for each thing that does not.

    Args:
        settings: What the tree asks for.
        trust: What was decided from outside.
        allow: Folders that the user added (``--allow``).
        files: Where files are read from.

    Raises:
        SettingsError: mkdocs.yml lies in a repository and names a master file or an inventory
            outside of it, and nobody trusted it.
    """
    reach = find_reach(settings.master, allow=allow, trust=trust, files=files)
    _keep_inside(settings, trust, allow, files)
    diagnostics = [
        _refuse(settings, name, what)
        for name, asked, counts, what in (
            ("python", settings.python, trust.python, "code of the tree does not run"),
            ("decrypt", settings.decrypt, trust.reveal, "ciphertext stays sealed"),
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
        paths=paths,
        ext_pillars=answers,
    )
    return permissions, tuple(diagnostics)


def _keep_inside(settings: Settings, trust: Trust, allow: tuple[Path, ...], files: Files) -> None:
    """Keep a configuration in a repository from naming files outside of it.

    A configuration that lies in no repository is nobody's pull request, and neither is one that
    was never read (``--master``, ``--inventory``): it has no positions.
    """
    home = find_repository(settings.folder, files)
    if home is None or trust.given or not settings.positions:
        return
    reach = Reach((home,), files=files).widened(*allow)
    faults = []
    for name, path in (
        ("master", settings.master),
        *(("inventory", path) for path in settings.inventory),
    ):
        try:
            reach.resolve(path)
        except OutsideReachError as error:
            place = settings.positions.get(name, Position("mkdocs.yml"))
            message = f"'{name}' {error.reason}"
            faults.append(new_fault(CODE, message, place, path=(name,), remedy=error.remedy))
    if faults:
        raise SettingsError(faults)


def _keep_reached(
    option: str, settings: Settings, reach: Reach, diagnostics: list[Diagnostic]
) -> Iterator[tuple[str, Path]]:
    """Yield what an option maps to paths, as far as these may be read; note the rest."""
    mapped: Mapping[str, str] = getattr(settings, option)
    for name, here in mapped.items():
        path = settings.folder / here
        try:
            # A clone may be named by its .git; nothing but git's own readers looks into that.
            reach.resolve_declared(path.parent if path.name == GIT else path)
        except OutsideReachError:
            message = f"what '{option}: {name}' names leads out of the repository, so it does not"
            diagnostics.append(
                Diagnostic(
                    code="needs-trust",
                    severity=Severity.WARNING,
                    message=f"{message} count",
                    position=settings.positions.get(option),
                    path=(option, name),
                    help=f"{_HELP}, or --allow DIR",
                )
            )
            continue
        yield name, path


def _refuse(settings: Settings, name: str, what: str) -> Diagnostic:
    return Diagnostic(
        code="needs-trust",
        severity=Severity.WARNING,
        message=f"'{name}: true' does not count without trust: {what}",
        position=settings.positions.get(name.partition(":")[0]),
        path=tuple(name.split(": ")),
        help=_HELP,
    )
