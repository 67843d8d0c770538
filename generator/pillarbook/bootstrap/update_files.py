"""``init --update``: what today's tree would add to the files that an earlier ``init`` wrote.

Lines are only added. What people changed since then is theirs, and so is what they removed the
mark ``guessed: true`` from.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from pillarbook.bootstrap.config_texts import write_grain, write_minion
from pillarbook.bootstrap.find_masters import OWN
from pillarbook.bootstrap.find_trees import find_trees
from pillarbook.bootstrap.grow_fleet import Grown, grow
from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.known_minions import KnownMinions, find_known
from pillarbook.bootstrap.listing import Listing, lies_in, list_files
from pillarbook.bootstrap.refresh_inventory import add_entries
from pillarbook.bootstrap.report_plan import write_roots
from pillarbook.bootstrap.yaml_lines import (
    Edit,
    append_to,
    apply_edits,
    as_yaml,
    compose_mapping,
    is_block,
    read_exactly,
    value_of,
)
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.model.phrases import count
from pillarbook.session.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file with other lines."""

    name: str
    """The file, relative to the folder."""
    before: str
    """Its text."""
    after: str
    """The text that it would have."""


@dataclass(frozen=True, slots=True)
class Update:
    """What an earlier ``init`` would write today."""

    changes: tuple[FileChange, ...]
    """The files that would differ."""
    notes: tuple[str, ...]
    """What is not added, and why: a line each."""


def plan_update(folder: Path, configuration: str, options: RunOptions) -> Update:
    """Return what today's tree would add to the files of an earlier ``init``; nothing is written.

    The configuration is relative to the folder.

    Raises:
        SettingsError: The configuration or the master file has faults.
        InventoryError: The inventory has faults.
        YamlFormError: A file is written in a way in which no lines can be added.
    """
    settings = load_settings(folder / configuration)
    listing = list_files(folder)
    declared = load_inventory(settings.inventory, shown=lambda path: os.path.relpath(path, folder))
    has_guesses = any(one.is_guessed for one in declared)
    minions = tuple(_as_known(one) for one in declared)
    known = KnownMinions("the inventory", minions, is_open=has_guesses)
    grown = grow(listing, settings, known, replace(options, checks=False, environments=False))
    changes = [
        *_update_master(folder, settings, listing),
        *_update_configuration(folder, configuration, settings, grown),
        *_update_inventory(folder, settings, declared, grown),
    ]
    notes = [*_describe_source(listing, declared)]
    if not has_guesses:
        notes.append("no minion is marked with `guessed: true`, so no minion is invented")
    return Update(tuple(changes), tuple(notes))


def _as_known(minion: Minion) -> NewMinion:
    grains = {name: value for name, value in minion.grains.items() if name != "id"}
    return NewMinion(minion.id, grains, fixed=True, invented=minion.is_guessed)


def _describe_source(listing: Listing, declared: Sequence[Minion]) -> Iterator[str]:
    """Yield a line if the folder has a list of minions with others than the inventory has."""
    found = find_known(listing)
    sure = {one.id for one in declared if not one.is_guessed}
    new = [one.id for one in found.minions if one.id not in sure] if found else []
    if found and new:
        yield (
            f"{found.what} has {count(len(new), 'minion')} that the inventory does not have:"
            " `pillarbook inventory import`"
        )


def _read_own(folder: Path, file: Path) -> tuple[str, str] | None:
    """Return the name and the text of a file of the folder; None for any other."""
    name = os.path.relpath(file, folder)
    if name.startswith("..") or not lies_in(folder, name):
        return None
    return name, read_exactly(folder / name)


def _update_master(folder: Path, settings: Settings, listing: Listing) -> Iterator[FileChange]:
    """Yield the master file that ``init`` wrote, with the environments that are new."""
    own = _read_own(folder, settings.master)
    if own is None or own[0] != OWN:
        return
    name, text = own
    trees = find_trees(listing)
    root = compose_mapping(text, name)
    edits: list[Edit] = []
    for option, found in (("pillar_roots", trees.pillar), ("file_roots", trees.states)):
        roots = value_of(root, option)
        if not is_block(roots):
            continue
        used = set(yaml.safe_load(text)[option])
        lines = list(write_roots({env: found[env] for env in found if env not in used}))
        if lines and found.keys() & used:
            edits.append(append_to(text.splitlines(), roots, lines))
    if edits:
        yield FileChange(name, text, apply_edits(text, edits))


def _update_configuration(
    folder: Path, configuration: str, settings: Settings, grown: Grown
) -> Iterator[FileChange]:
    """Yield the configuration with the paths that are new."""
    new = {there: here for there, here in grown.paths.items() if there not in settings.paths}
    if not new:
        return
    text = read_exactly(folder / configuration)
    section = _find_section(compose_mapping(text, configuration))
    lines = [f"{as_yaml(there)}: {as_yaml(here)}" for there, here in new.items()]
    paths = value_of(section, "paths")
    target = paths if is_block(paths) else section if paths is None else None
    if target is None or not is_block(target):
        return
    added = lines if target is paths else ["paths:", *(f"  {line}" for line in lines)]
    after = apply_edits(text, [append_to(text.splitlines(), target, added)])
    yield FileChange(configuration, text, after)


def _find_section(root: yaml.Node) -> yaml.Node | None:
    plugins = value_of(root, "plugins")
    if isinstance(plugins, yaml.SequenceNode):
        return next(filter(None, (value_of(one, "pillarbook") for one in plugins.value)), None)
    return value_of(plugins, "pillarbook")


def _update_inventory(
    folder: Path, settings: Settings, declared: Sequence[Minion], grown: Grown
) -> Iterator[FileChange]:
    """Yield the inventory with the minions and the grains that are new."""
    own = next(filter(None, (_read_own(folder, file) for file in settings.inventory)), None)
    if own is None or own[0].endswith(".json"):
        return
    name, text = own
    before = {one.id: one.grains for one in declared}
    minions = value_of(compose_mapping(text, name), "minions")
    after = apply_edits(text, _add_grains(text, minions, before, grown))
    entries = [
        line
        for one in grown.fleet.minions.values()
        if one.id not in before
        for line in write_minion(one)
    ]
    after = add_entries(after, entries, name) if entries else after
    if after != text:
        yield FileChange(name, text, after)


def _add_grains(
    text: str, minions: yaml.Node | None, before: Mapping[str, Mapping[str, object]], grown: Grown
) -> Iterator[Edit]:
    """Yield the edits that give guessed minions the grains that templates need now."""
    lines = text.splitlines()
    pairs = minions.value if isinstance(minions, yaml.MappingNode) else ()
    for key, value in pairs:
        one = grown.fleet.minions.get(key.value)
        if one is None or not one.invented or not is_block(value):
            continue
        new = [name for name in one.grains if name not in before.get(one.id, one.grains)]
        written = [write_grain(one, name) for name in new]
        grains = value_of(value, "grains")
        if written and is_block(grains):
            yield append_to(lines, grains, written)
        elif written and grains is None:
            yield append_to(lines, value, ["grains:", *(f"  {line}" for line in written)])
