"""The declared minions, with the data that Salt would have of them."""

import gc
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import InventoryError, describe
from pillarbook.inventory.inventory_file import (
    CODE,
    InventoryFile,
    MinionEntry,
    duplicate_minion,
    read_inventory_file,
)
from pillarbook.inventory.reach import Reach, files_of
from pillarbook.inventory.text_file import UnreadableError, explain_syntax, read_text
from pillarbook.model import KeyPath, Position
from pillarbook.model.limited_cache import recall
from pillarbook.roots.file_access import DISK

_LOCAL = "local"
MAX_LEVELS = 200
"""How deep the grains of a file may nest, as deep as a document of the tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minion:
    """A declared minion.

    Minions share defaults, YAML aliases and equal texts, so a minion must not change, and a
    template gets a copy.
    """

    id: str
    grains: Mapping[str, Any]
    """Its grains; they always have ``id``."""
    pillarenv: str | None
    """The pillar environment it is pinned to; None for all of them merged."""
    saltenv: str | None
    """Its state environment."""
    pillar: Any
    """The command line's pillar as it is declared; Salt drops any type but a mapping."""
    pillar_enc: str | None
    """The renderer that decrypts ``pillar``, such as ``gpg``."""
    pillar_lines: Mapping[KeyPath, int]
    """The line in the inventory of every scalar and container of ``pillar``, by path."""
    opts: Mapping[str, Any]
    """Its minion options."""
    mine: Mapping[str, Any]
    """Its mine data by function."""
    position: Position
    """The line that declares it."""
    secrets: tuple[str, ...] = ()
    """Patterns of keys whose values are secret, in its pillar and its grains."""
    is_guessed: bool = False
    """Whether ``init`` has guessed its grains or its id, and nobody has confirmed them yet."""


def load_inventory(
    paths: Sequence[Path],
    *,
    shown: Callable[[Path], str],
    reach: Reach | None = None,
    named_in: Reach | None = None,
    new: str | None = None,
) -> tuple[Minion, ...]:
    """Return the minions of all files, in the order of the files.

    A ``.json`` file is JSON, everything else YAML; the defaults of a file are for its own minions.
    ``reach`` decides about grains files; any on the disk may be read if it is None. The tree's
    configuration names inventory files only in ``named_in``. ``new`` is the id of a minion to add,
    with only the defaults of the first file.

    Raises:
        InventoryError: With every fault of every file.
    """
    faults: list[Diagnostic] = []
    with _collection_paused():
        read = named_in.read if named_in is not None else files_of(reach).read
        files = [read_inventory_file(path, shown(path), faults, read) for path in paths]
        found: dict[str, Minion] = {}
        grains_files = _GrainsFiles(shown, reach, faults)
        for file in files:
            if file is not None:
                _add_minions(file, found, grains_files, faults)
    if new in found:
        message, remedy = f"the minion '{new}' is not new", "omit --as-new, or give another id"
        faults.append(new_diagnostic(CODE, message, found[new].position, remedy=remedy))
    elif new is not None and files and files[0] is not None:
        defaults = files[0].defaults or _entry("defaults")
        found[new] = _new_minion(_entry(new), defaults, Position(files[0].shown))
    if faults:
        raise InventoryError(faults)
    return tuple(found.values())


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep the garbage collector from checking a growing inventory again and again.

    It doubles the time for a large file, and finds nothing to collect.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _add_minions(
    file: InventoryFile,
    found: dict[str, Minion],
    grains_files: "_GrainsFiles",
    faults: list[Diagnostic],
) -> None:
    defaults = file.defaults or _entry("defaults")
    given = grains_files.resolve(defaults, file)
    defaults.fields["grains"] = {key: value for key, value in given.items() if key != "id"}
    for minion in tuple(file.minions):
        entry = file.minions.pop(minion)  # its grains are copied: a fleet need not hold both
        position = Position(file.shown, entry.line)
        if minion in found:
            faults.append(duplicate_minion(minion, position, found[minion].position))
            continue
        entry.fields["grains"] = grains_files.resolve(entry, file)
        found[minion] = _new_minion(entry, defaults, position)


def _entry(name: str) -> MinionEntry:
    return MinionEntry(name, 1, {"grains": {}}, {}, {})


def _new_minion(entry: MinionEntry, defaults: MinionEntry, position: Position) -> Minion:
    fields = _merge(defaults.fields, entry.fields)
    # The patterns of both, so that a minion cannot reveal what the defaults hide.
    secrets = (*defaults.fields.get("secrets", ()), *entry.fields.get("secrets", ()))
    # As a master does, whatever the minion sends. Source: Salt ``salt/master.py`` (``_pillar``).
    grains = {**fields["grains"], "id": entry.id}
    pillar = fields.get("pillar")
    return Minion(
        id=entry.id,
        grains=grains,
        pillarenv=fields.get("pillarenv"),
        saltenv=fields.get("saltenv"),
        pillar=pillar,
        pillar_enc=fields.get("pillar_enc"),
        pillar_lines=_merge_lines(pillar, entry, defaults),
        opts=fields.get("opts", {}),
        mine=fields.get("mine", {}),
        position=position,
        secrets=tuple(dict.fromkeys(secrets)),
        is_guessed=fields.get("guessed", False),
    )


def _merge(below: Mapping[Any, Any], above: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return ``above`` over ``below``: mappings merge at any depth, else ``above`` wins."""
    merged = {**below, **above}
    for key in below.keys() & above.keys():
        one, other = below[key], above[key]
        if isinstance(one, dict) and isinstance(other, dict):
            merged[key] = _merge(one, other) if one else other
    return merged


def _merge_lines(pillar: Any, entry: MinionEntry, defaults: MinionEntry) -> Mapping[KeyPath, int]:
    if not defaults.pillar_lines or "pillar" not in defaults.fields:
        return entry.pillar_lines
    if not entry.pillar_lines:
        return defaults.pillar_lines
    lines = defaults.pillar_lines | entry.pillar_lines
    return {path: lines[path] for path in _paths(pillar, ()) if path in lines}


def _paths(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))


class _GrainsFiles:
    """Reads grains that are declared as the path of a JSON file; each file once."""

    def __init__(
        self, shown: Callable[[Path], str], reach: Reach | None, faults: list[Diagnostic]
    ) -> None:
        self._shown = shown
        self._reach = reach
        self._faults = faults
        # By path: several minions may name one file, and a run sees one state of it.
        self._known: dict[Path, dict[str, Any]] = {}

    def resolve(self, entry: MinionEntry, file: InventoryFile) -> dict[str, Any]:
        """Return the grains of an entry; empty if their file has a fault.

        ``salt-call grains.items --out=json`` and ``salt ID grains.items --out=json`` print the
        grains under ``local`` or the id; they are taken from there. So are those of one minion of
        several.
        """
        declared = entry.fields.get("grains", {})
        if not isinstance(declared, str):
            return declared  # type: ignore[no-any-return]
        path = file.file.parent / declared
        grains = recall(
            self._known, path, lambda: self._read(path, Position(file.shown, entry.lines["grains"]))
        )
        own = grains.get(entry.id)
        if isinstance(own, dict):  # a file with the grains of several minions, by id
            return dict(own)
        if list(grains) == [_LOCAL] and isinstance(grains[_LOCAL], dict):
            grains = grains[_LOCAL]
        return dict(grains)

    def _read(self, path: Path, used_at: Position) -> dict[str, Any]:
        shown = self._shown(path)
        what = f"the grains file {shown}"
        try:
            read = DISK.read if self._reach is None else self._reach.read
            text = read_text(path, shown=shown, what=what, code=CODE, read=read)
        except UnreadableError as error:
            remedy = error.fault.help or "the path counts from the folder of the inventory file"
            self._add(error.fault.message, used_at, remedy)
            return {}
        try:
            grains = json.loads(text)
            _refuse_deep(grains)
        except (ValueError, RecursionError) as error:
            self._faults.append(explain_syntax(error, text, shown=shown, what=what, code=CODE))
            return {}
        if not isinstance(grains, dict):
            self._add(f"{what} is {describe(grains)}, where a mapping is needed", used_at, None)
            return {}
        return grains

    def _add(self, message: str, position: Position, remedy: str | None) -> None:
        self._faults.append(new_diagnostic(CODE, message, position, remedy=remedy))


def _refuse_deep(data: Any) -> None:
    """Refuse data that nests too deep to be compared and redacted."""
    level = [data]
    for _ in range(MAX_LEVELS):
        level = [
            item
            for part in level
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return
    raise RecursionError
