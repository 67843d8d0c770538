"""One inventory file before merging: its defaults and its minions, each key with its line."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.block_yaml import BlockYaml, UnusualYamlError
from pillarbook.inventory.declaration_errors import describe, suggest
from pillarbook.inventory.json_stream import JsonStream
from pillarbook.inventory.text_file import Reader, UnreadableError, explain_syntax, read_text
from pillarbook.inventory.yaml_stream import YamlStream
from pillarbook.model import KeyPath, Position
from pillarbook.model.phrases import list_some
from pillarbook.roots.file_access import DISK

CODE = "inventory"
"""The code of every fault of an inventory."""

TOP_KEYS = ("minions", "defaults")
"""The keys of an inventory file."""
MAX_NAMED = 3
"""Unknown keys of a file that are named."""
MINION_KEYS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "grains": ((dict, str), "a mapping, or the path of a JSON file"),
    "pillarenv": (str, "text; put the name in quotes"),
    "saltenv": (str, "text; put the name in quotes"),
    "pillar": (object, "anything"),
    "pillar_enc": (str, "the name of a renderer, such as gpg"),
    "opts": (dict, "a mapping of minion options"),
    "mine": (dict, "a mapping of mine functions to their data"),
    "secrets": (list, "a list of patterns of keys, such as [token, 'app:*:dsn']"),
    "guessed": (bool, "true or false"),
}


Stream: TypeAlias = BlockYaml | JsonStream | YamlStream
"""All are read once, from start to end; each has its own cursors, which are ``Any`` here."""


@dataclass(slots=True)
class MinionEntry:
    """The value under one minion's id, or under ``defaults``."""

    id: str
    """The minion's id, or ``defaults``."""
    line: int
    """The line of that key."""
    fields: dict[str, Any]
    """The declared values that have the right types and are not null."""
    lines: dict[str, int]
    """The line of each key."""
    pillar_lines: dict[KeyPath, int]
    """The line of each value in ``pillar``."""


@dataclass(slots=True)
class InventoryFile:
    """One file, read."""

    file: Path
    shown: str
    """Its name in messages."""
    defaults: MinionEntry | None
    """The values for all of its minions."""
    minions: dict[str, MinionEntry]
    """The minions by id, in order."""


def read_inventory_file(
    file: Path, shown: str, faults: list[Diagnostic], read: Reader = DISK.read
) -> InventoryFile | None:
    """Return one inventory file, None if it cannot be parsed; its faults are added."""
    try:
        text = read_text(file, shown=shown, what="the inventory", code=CODE, read=read)
    except UnreadableError as error:
        faults.append(error.fault)
        return None
    try:
        if file.suffix == ".json":
            found, its_faults = _read_stream(JsonStream(text), file, shown)
        else:
            found, its_faults = _read_yaml(text, file, shown)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        faults.append(explain_syntax(error, text, shown=shown, what="the inventory", code=CODE))
        return None
    faults.extend(its_faults)
    return found


def _read_yaml(text: str, file: Path, shown: str) -> tuple[InventoryFile, list[Diagnostic]]:
    try:
        return _read_stream(BlockYaml(text), file, shown)
    except UnusualYamlError:
        return _read_stream(YamlStream(text), file, shown)


def _read_stream(
    stream: "Stream", file: Path, shown: str
) -> tuple[InventoryFile, list[Diagnostic]]:
    faults: list[Diagnostic] = []
    reader = _FileReader(InventoryFile(file, shown, None, {}), faults)
    reader.read(stream)
    return reader.found, faults


class _FileReader:
    """Reads one file and collects its faults."""

    def __init__(self, found: InventoryFile, faults: list[Diagnostic]) -> None:
        self.found = found
        self._faults = faults
        self._unknown: dict[Any, list[int]] = {}
        """For each unknown key of minions, where its fault is, and how many more have it."""
        self._stream: Stream

    def read(self, stream: Stream) -> None:
        self._stream = stream
        root: Any = stream.root()
        if root is None or not stream.is_mapping(root):
            kind = "empty" if root is None else describe(stream.plain(root))
            self._add(f"the inventory is {kind}", 1, (), "begin it with the line 'minions:'")
            if root is None:
                return
        else:
            self._read_top(root)
            self._count_unknown()
        stream.finish()

    def _read_top(self, root: Any) -> None:
        lines: dict[Any, int] = {}
        unknown: dict[Any, int] = {}
        cursor: Any
        for key, line, cursor in self._stream.members(root):
            self._note_repeated(key, line, lines, ())
            if key == "minions":
                self._read_minions(cursor, line)
            elif key == "defaults":
                self.found.defaults = self._read_entry("defaults", line, cursor, ("defaults",))
            else:
                self._stream.plain(cursor)
                unknown.setdefault(key, line)
        if unknown:
            self._add_unknown(unknown)
        elif "minions" not in lines:
            remedy = "list the minions by id under 'minions:'"
            self._add("'minions' is missing", 1, ("minions",), remedy)

    def _add_unknown(self, unknown: Mapping[Any, int]) -> None:
        """Add the unknown keys of the file as one fault: many of them are minions."""
        first, *others = unknown
        named = list_some(tuple(unknown), MAX_NAMED, lambda key: f"'{key}'")
        remedy = f"known here: {', '.join(sorted(TOP_KEYS))}; minions belong under 'minions:'"
        if not others:
            remedy = suggest(first, TOP_KEYS, remedy)
        verb = "are" if others else "is"
        self._add(f"{named} {verb} not known", unknown[first], (first,), remedy)

    def _read_minions(self, cursor: Any, line: int) -> None:
        if not self._stream.is_mapping(cursor):
            kind = describe(self._stream.plain(cursor))
            remedy = "write it as a mapping of minion ids; {} if there are none"
            self._add(f"'minions' is {kind}, where a mapping is needed", line, ("minions",), remedy)
            return
        minions = self.found.minions
        for key, at, below in self._stream.members(cursor):
            entry = self._read_entry(key, at, below, ("minions", key))
            if not isinstance(key, str) or not key:
                kind = "empty text" if key == "" else describe(key)
                remedy = f"put it in quotes: '{key}'" if key not in (None, "") else "give it a name"
                message = f"a minion's id is {kind}, where text is needed"
                self._add(message, at, ("minions", key), remedy)
            elif key in minions:
                first = Position(self.found.shown, minions[key].line)
                self._faults.append(duplicate_minion(key, Position(self.found.shown, at), first))
            else:
                minions[key] = entry

    def _read_entry(self, key: Any, line: int, cursor: Any, path: KeyPath) -> MinionEntry:
        entry = MinionEntry(key, line, {}, {}, {})
        if not self._stream.is_mapping(cursor):
            value = self._stream.plain(cursor)
            if value is not None:
                message = f"{_name(path)} is {describe(value)}, where a mapping is needed"
                self._add(message, line, path, "write its grains under 'grains:'")
            return entry
        below: Any
        for name, at, below in self._stream.members(cursor):
            self._note_repeated(name, at, entry.lines, path)
            if name == "pillar":
                given = self._stream.located(below)
                entry.pillar_lines, value = given.lines, given.value
            else:
                value = self._stream.plain(below)
            if value is not None and self._is_right(name, value, at, path):
                entry.fields[name] = value
        return entry

    def _is_right(self, name: Any, value: Any, line: int, path: KeyPath) -> bool:
        known = MINION_KEYS.get(name) if isinstance(name, str) else None
        path = (*path, name)
        if known is None:
            self._add_unknown_of_minion(name, line, path)
            return False
        if isinstance(value, known[0]):
            return name != "secrets" or self._are_patterns(value, line, path)
        message = f"{_name(path)} is {describe(value)}, where a different type is needed"
        self._add(message, line, path, f"it must be {known[1]}")
        return False

    def _add_unknown_of_minion(self, name: Any, line: int, path: KeyPath) -> None:
        """Add an unknown key of a minion; one that many minions have is one fault."""
        if name in self._unknown:
            self._unknown[name][1] += 1
            return
        self._unknown[name] = [len(self._faults), 0]
        remedy = f"known here: {', '.join(sorted(MINION_KEYS))}; grains belong under 'grains:'"
        remedy = suggest(name, MINION_KEYS, remedy)
        self._add(f"{_name(path)} is not known", line, path, remedy)

    def _count_unknown(self) -> None:
        """Say of each unknown key how many more minions have it."""
        for at, more in self._unknown.values():
            if more:
                fault = self._faults[at]
                others = "1 more minion has" if more == 1 else f"{more:,} more minions have"
                message = f"{fault.message}; {others} this key"
                self._faults[at] = replace(fault, message=message)

    def _are_patterns(self, given: Any, line: int, path: KeyPath) -> bool:
        wrong = [one for one in given if not isinstance(one, str) or not one.strip()]
        for one in wrong:
            kind = "an empty text" if isinstance(one, str) else describe(one)
            message = f"{_name(path)} holds {kind}, where a pattern is needed"
            self._add(message, line, path, "write a key, or a path of keys with colons, in quotes")
        return not wrong

    def _note_repeated(self, key: Any, line: int, lines: dict[Any, int], path: KeyPath) -> None:
        if key in lines:
            position, first = (Position(self.found.shown, at) for at in (line, lines[key]))
            full = (*path, key)
            self._faults.append(_duplicate(_name(full), full, position, first))
        lines[key] = line

    def _add(self, message: str, line: int, path: KeyPath, remedy: str) -> None:
        position = Position(self.found.shown, line)
        self._faults.append(new_diagnostic(CODE, message, position, path=path, remedy=remedy))


def duplicate_minion(minion: str, position: Position, first: Position) -> Diagnostic:
    """Return the fault of a minion that is declared in two places."""
    return _duplicate(f"the minion '{minion}'", ("minions", minion), position, first)


def _duplicate(name: str, path: KeyPath, position: Position, first: Position) -> Diagnostic:
    message, remedy = f"{name} is declared twice", f"first at {first}; keep one of them"
    return new_diagnostic(CODE, message, position, path=path, remedy=remedy, related=(first,))


def _name(path: KeyPath) -> str:
    return "'" + ": ".join(str(key) for key in path) + "'"
