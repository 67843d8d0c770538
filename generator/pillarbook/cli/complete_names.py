"""Completes what the declarations name: minions, environments and keys.

This runs at a key press, so it reads no more than the names need, and prints no error: the shell
would show it within the line that is being written.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from pillarbook.cli.read_declared import read_settings
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.master import load_master
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import load_inventory
from pillarbook.inventory.permissions import Permissions, decide, refuse_missing_files
from pillarbook.inventory.reach import Trust
from pillarbook.inventory.settings import Settings

MAX_COMPILED = 3
"""Minions that are compiled to learn the names of keys."""
SHARED = {"config_file": None, "master": None, "inventory": (), "allow": (), "trust": False}


def complete_minions(context: click.Context, incomplete: str) -> list[str]:
    """Return the ids of declared minions that begin so."""
    try:
        settings, allowed = _read(context)
        declared = load_inventory(
            settings.inventory, shown=str, reach=allowed.reach, named_in=allowed.named_in
        )
    except (PillarbookError, click.ClickException, OSError):
        return []
    return [one.id for one in declared if one.id.startswith(incomplete)]


def complete_environments(context: click.Context, incomplete: str, option: str) -> list[str]:
    """Return the environments of a master option that begin so, and those of the configuration.

    The option is ``pillar_roots`` or ``file_roots``.
    """
    try:
        settings, allowed = _read(context)
        master, _ = load_master(settings.master, reach=allowed.reach, paths=allowed.paths)
    except (PillarbookError, click.ClickException, OSError):
        return []
    names = list(dict.fromkeys(_environments(settings, master, option)))
    return [name for name in names if name.startswith(incomplete)]


def complete_keys(context: click.Context, incomplete: str) -> list[str]:
    """Return the keys that continue a path, one level of keys at a time.

    They are those of the minions that the words name, else of the first ones.
    """
    from pillarbook.cli.open_declared import open_declared  # noqa: PLC0415 (loads what compiles)
    from pillarbook.session import RunOptions  # noqa: PLC0415 (as above)

    minion = context.params.get("minion")
    named = [] if minion is None else [minion]
    globs = (*named, *(context.params.get("minions") or ()))
    try:
        with open_declared(
            RunOptions(), {**_shared(context), "clock": None}, checks=False, explains=False
        ) as session:
            chosen = session.fleet.choose(globs)[:MAX_COMPILED]
            compiled = list(session.compiler.compile_all(chosen))
            session.freeze_secrets(compiled)
            paths = [leaf.path for one in compiled for leaf in session.shown.redact(one).leaves]
    except (PillarbookError, click.ClickException, OSError):
        return []
    return _continue_path(paths, incomplete)


def _continue_path(paths: Sequence[Sequence[Any]], incomplete: str) -> list[str]:
    """Return the beginnings of paths that continue a text by as few keys as possible."""
    from pillarbook.model import format_path  # noqa: PLC0415 (of the session above)

    depth = incomplete.count(":") + 1
    found: list[str] = []
    for level in (depth, depth + 1):
        texts = (format_path(tuple(path[:level])) for path in paths if len(path) >= level)
        found = [text for text in dict.fromkeys(texts) if text.startswith(incomplete)]
        if found != [incomplete]:
            return found
    return found


def _environments(settings: Settings, master: MasterOptions, option: str) -> Iterator[str]:
    yield from (one.name for one in settings.environments)
    yield from (name for name in master.values.get(option) or {} if name != "__env__")


def _read(context: click.Context) -> tuple[Settings, Permissions]:
    declared = _shared(context)
    settings = read_settings(declared)
    trust = Trust(given=declared["trust"], python=False, reveal=False)
    permissions, _ = decide(settings, trust, allow=tuple(declared["allow"]))
    refuse_missing_files(settings)
    return settings, permissions


def _shared(context: click.Context) -> dict[str, Any]:
    """Return the values of the options that declare the fleet, as far as they are given."""
    return {name: context.params.get(name) or unset for name, unset in SHARED.items()}
