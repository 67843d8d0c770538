"""Checks that the environments of a configuration exist, and that their options are known."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import SettingsError, suggest
from pillarbook.inventory.master import with_overlay
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.root_folders import DYNAMIC_ENVIRONMENT, ROOT_KINDS, check_roots
from pillarbook.inventory.settings import Environment, Settings
from pillarbook.inventory.settings_checks import CODE
from pillarbook.model import Position

_NOWHERE = Position("mkdocs.yml")


def check_environments(
    settings: Settings, master: MasterOptions, minions: Iterable[Minion]
) -> tuple[Diagnostic, ...]:
    """Return diagnostics about the roots of named sets of options.

    The options of a minion may name environments, too.

    Raises:
        SettingsError: An environment is in no roots, or one of its options cannot be used.
    """
    if not settings.environments:
        return ()
    place = settings.positions.get("environments") or _NOWHERE
    names = _known_names(master, minions)
    faults: list[Diagnostic] = []
    for one in settings.environments:
        faults.extend(_check_one(one, one.position or place, names, master))
    if faults:
        raise SettingsError(faults)
    found: dict[Diagnostic, None] = {}
    for one in settings.environments:
        options = one.options or {}
        overlaid = with_overlay(master, options, position=one.position or place)
        for kind in ROOT_KINDS:
            if kind in options:
                found.update(dict.fromkeys(check_roots(overlaid, kind)))
    return tuple(found)


def check_pillarenv(
    name: str | None, settings: Settings, master: MasterOptions, minions: Sequence[Minion]
) -> None:
    """Check that an environment of the command line exists: a slip would give empty pillars.

    A git pillar may have any, and so do roots with ``__env__``.

    Raises:
        SettingsError: Nothing has an environment of this name.
    """
    names = _known_names(master, minions)
    externals = master.values.get("ext_pillar")
    entries = externals if isinstance(externals, list) else [externals]
    has_git = any(isinstance(one, Mapping) and "git" in one for one in entries)
    if name is None or names is None or has_git:
        return
    known = dict.fromkeys(names)
    for one in settings.environments:
        known[one.name] = None
        known.update(dict.fromkeys((one.options or {}).get("pillar_roots") or ()))
    if name not in known and DYNAMIC_ENVIRONMENT not in known:
        message = f"the environment '{name}' of '--pillarenv' is not in pillar_roots"
        raise SettingsError(
            [new_diagnostic(CODE, message, Position("command line"), remedy=suggest(name, known))]
        )


def _known_names(master: MasterOptions, minions: Iterable[Minion]) -> tuple[str, ...] | None:
    """Return the environments of all roots; None if a root takes any name."""
    roots: Sequence[Mapping[str, Any]] = [
        given
        for given in (
            master.values.get("pillar_roots"),
            *(minion.opts.get("pillar_roots") for minion in minions if minion.opts),
        )
        if isinstance(given, Mapping)
    ]
    names = tuple(dict.fromkeys(name for given in roots for name in given))
    return None if DYNAMIC_ENVIRONMENT in names else names


def _check_one(
    one: Environment, place: Position, names: Collection[str] | None, master: MasterOptions
) -> Iterator[Diagnostic]:
    path = ("environments", one.name)
    if one.options is None:
        if names is not None and one.name not in names:
            message = f"the environment '{one.name}' of 'environments' is not in pillar_roots"
            yield new_diagnostic(CODE, message, place, path=path, remedy=suggest(one.name, names))
        return
    for option in one.options:
        if option in master.values:
            continue
        from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (on use)

        near = find_similar(str(option), list(map(str, master.values)))
        message = f"the environment '{one.name}' sets '{option}', which is not a master option"
        remedy = f"did you mean '{near}'?" if near else "set your own options in the master file"
        yield new_diagnostic(CODE, message, place, path=(*path, option), remedy=remedy)
