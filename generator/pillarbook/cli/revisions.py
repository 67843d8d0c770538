"""Opens the two sides of a comparison that revisions name."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pillarbook.book import RunOptions
from pillarbook.book.sides import Side, Sides, load_settings_at, open_sides, resolve_sides
from pillarbook.cli.declared import need_configuration, read_settings, token_key
from pillarbook.inventory.settings import Settings
from pillarbook.roots import RevisionError, UnknownRevisionError

CONFIGURATION = Path("mkdocs.yml")
_WRITE = "`pillarbook compile --format result --output FILE` writes a saved result"


def open_revisions(
    run: RunOptions, declared: dict[str, Any], named: tuple[str | None, str | None], **asked: Any
) -> Sides:
    """Open a fleet as it is in two revisions, or in one and in the working tree.

    Args:
        run: What the run was asked for so far.
        declared: The values of ``options.declared_options``.
        named: The base and the head; None for the default.
        asked: Further fields of ``RunOptions``.

    Raises:
        click.UsageError: Only one of ``--master`` and ``--inventory``.
        PillarbookError: What is declared has faults, or there is no such revision.
    """
    settings, sides = _resolve(declared, named)
    options = replace(
        run,
        trust=declared["trust"],
        allow=tuple(declared["allow"]),
        token_key=token_key(),
        clock=declared["clock"],
        **asked,
    )
    opened = open_sides(settings, options, *sides)
    if options.heartbeat is not None:
        options.heartbeat.held.append(opened)
    return opened


def _resolve(
    declared: dict[str, Any], named: tuple[str | None, str | None]
) -> tuple[Settings, tuple[Side, Side]]:
    file = declared["config_file"] or CONFIGURATION
    if declared["master"] is None and not declared["inventory"] and not file.exists():
        # A bare repository, say: what is declared lies in a commit only.
        sides = _find_sides(file.absolute().parent, declared, named, None)
        settings = load_settings_at(sides[1], file.absolute())
        if settings is None:
            need_configuration(file, ", or give --master FILE --inventory FILE")
            raise AssertionError("the file is not there")
        return settings, sides
    settings = read_settings(declared)
    folder = settings.folder.absolute()
    return settings, _find_sides(folder, declared, named, settings.revisions.get("base"))


def _find_sides(
    folder: Path,
    declared: dict[str, Any],
    named: tuple[str | None, str | None],
    default_base: str | None,
) -> tuple[Side, Side]:
    allow, trusted = tuple(declared["allow"]), declared["trust"]
    try:
        return resolve_sides(folder, *named, default_base, allow=allow, trusted=trusted)
    except UnknownRevisionError as error:
        for name in filter(_is_like_a_file, error.names):
            what = "holds no saved result" if Path(name).is_file() else "is not there"
            message = f"the file '{name}' {what}, and no revision is called so: {_WRITE}"
            raise RevisionError(message) from error
        raise


def are_results(base: str | None, head: str | None) -> bool:
    """Say whether both sides are saved results, and not the names of revisions.

    Raises:
        click.UsageError: One of them is a saved result, the other is not.
    """
    files = [side is not None and _is_json(Path(side)) for side in (base, head)]
    if any(files) and not all(files):
        file, other = (base, head) if files[0] else (head, base)
        is_missing = other is not None and _is_like_a_file(other) and not Path(other).exists()
        which = f"'{other}' is not there" if is_missing else "the other side must be one, too"
        raise click.UsageError(
            f"{file} is a file, so it is taken for a saved result, and {which}: {_WRITE}."
        )
    return all(files)


def _is_like_a_file(name: str) -> bool:
    """Say whether people who write a name mean a file."""
    return name.endswith(".json") or name.startswith(("/", "./", "../"))


def _is_json(path: Path) -> bool:
    """Say whether a file begins as an object in JSON; one that is called HEAD need not."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).lstrip().startswith(b"{")
