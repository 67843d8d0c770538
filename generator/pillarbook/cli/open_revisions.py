"""Opens the two sides of a comparison that revisions name."""

from pathlib import Path
from typing import Any

import click

from pillarbook.changes.comparison import Side, Sides, load_settings_at, open_sides, resolve_sides
from pillarbook.changes.comparison.resolve_sides import Base
from pillarbook.cli.open_declared import make_options
from pillarbook.cli.read_declared import find_link_policy, need_configuration, read_settings
from pillarbook.inventory.change_settings import IgnoreRule, load_changes
from pillarbook.inventory.reach import LinkLeadsOutError, LinkPolicy
from pillarbook.inventory.settings import Settings
from pillarbook.roots.revision_names import RevisionError, UnknownRevisionError
from pillarbook.session import RunOptions

CONFIGURATION = Path("mkdocs.yml")
_WRITE = "`pillarbook compile --format result --output FILE` saves a result"


def open_revisions(
    run: RunOptions, declared: dict[str, Any], named: tuple[Base | None, str | None], **asked: Any
) -> Sides:
    """Open a fleet in two revisions, or in a revision and the working tree.

    Raises:
        click.UsageError: Only one of ``--master`` and ``--inventory``.
        PillarbookError: The configuration has faults, or a revision does not exist.
    """
    settings, sides = _resolve(declared, named)
    options = make_options(run, declared, **asked)
    opened = open_sides(settings, options, *sides)
    if options.heartbeat is not None:
        options.heartbeat.held.append(opened)
    return opened


def _resolve(
    declared: dict[str, Any], named: tuple[Base | None, str | None]
) -> tuple[Settings, tuple[Side, Side]]:
    file = declared["config_file"] or CONFIGURATION
    if declared["master"] is None and not declared["inventory"] and not file.exists():
        # In a bare repository, for example, these files exist in commits only.
        sides = _find_sides(file.absolute().parent, declared, named, None)
        settings = load_settings_at(
            sides[1], file.absolute(), allow=tuple(declared["allow"]), trusted=declared["trust"]
        )
        if settings is None:
            need_configuration(file, ", or give --master FILE --inventory FILE")
            raise AssertionError("the file does not exist")
        return settings, sides
    settings = read_settings(declared)
    folder = settings.folder.absolute()
    return settings, _find_sides(folder, declared, named, settings.revisions.get("base"))


def _find_sides(
    folder: Path,
    declared: dict[str, Any],
    named: tuple[Base | None, str | None],
    default_base: str | None,
) -> tuple[Side, Side]:
    allow, trusted = tuple(declared["allow"]), declared["trust"]
    try:
        return resolve_sides(folder, *named, default_base, allow=allow, trusted=trusted)
    except UnknownRevisionError as error:
        for name in filter(_is_like_a_file, error.names):
            what = "is not a saved result" if Path(name).is_file() else "does not exist"
            message = f"the file '{name}' {what}, and no revision has this name: {_WRITE}"
            raise RevisionError(message) from error
        raise


def read_ignored(declared: dict[str, Any]) -> tuple[IgnoreRule, ...]:
    """Return which changes the configuration ignores; none without a configuration.

    Raises:
        click.ClickException: The named configuration does not exist.
        SettingsError: It has no section for pillarbook, or its rules have faults.
    """
    file = declared["config_file"]
    if file is None and (declared["master"] is not None or declared["inventory"]):
        return ()
    if file is not None:
        need_configuration(file)
    configuration = file or Path("mkdocs.yml")
    find_link_policy(declared).resolve(configuration)
    return load_changes(configuration, needed=file is not None)


def are_results(base: str | None, head: str | None, links: LinkPolicy) -> bool:
    """Return whether both sides are saved results, not revisions.

    Raises:
        click.UsageError: One of them is a saved result, the other is not.
        LinkLeadsOutError: One of them is a link of the tree that leads out.
    """
    files = [side is not None and _is_json(side, links) for side in (base, head)]
    if any(files) and not all(files):
        file, other = (base, head) if files[0] else (head, base)
        is_missing = other is not None and _is_like_a_file(other) and not Path(other).exists()
        which = f"'{other}' does not exist" if is_missing else "the other side must be one too"
        raise click.UsageError(
            f"{file} is a file, so it must be a saved result, but {which}: {_WRITE}."
        )
    return all(files)


def _is_like_a_file(name: str) -> bool:
    """Return whether a name looks like a file's."""
    return name.endswith(".json") or name.startswith(("/", "./", "../"))


def _is_json(name: str, links: LinkPolicy) -> bool:
    """Return whether a file starts like a JSON object; a file named HEAD may not."""
    path = Path(name)
    if not path.is_file():
        return False
    try:
        links.resolve(path)
    except LinkLeadsOutError:
        if _is_like_a_file(name):
            raise
        return False  # a revision may have the name of a link
    with path.open("rb") as file:
        return file.read(64).lstrip().startswith(b"{")
