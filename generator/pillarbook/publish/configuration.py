"""Reads the MkDocs configuration with a safe loader, to find the lines and effects of options.

MkDocs itself loads the file with a loader that runs the code of Python tags, imports hooks, plugins
and Markdown extensions, and renders templates outside a sandbox. So a configuration from a pull
request is checked here before MkDocs reads it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.config_yaml import PlacedLoader, compose
from pillarbook.inventory.mkdocs_section import NO_TEXT, WHAT
from pillarbook.inventory.reach import find_repository
from pillarbook.inventory.settings_checks import CODE
from pillarbook.inventory.text_file import explain_syntax
from pillarbook.model import KeyPath, Position
from pillarbook.patterns.similar import find_similar
from pillarbook.roots.file_access import DISK
from pillarbook.roots.no_links import is_inside

PLUGIN = "pillarbook"
"""The plugin's name in the configuration."""


class ConfigurationError(PillarbookError):
    """The MkDocs configuration cannot be used."""

    def __init__(self, position: Position, why: str) -> None:
        super().__init__(" ".join(f"{position}: {why}".split()))  # a value in it may have lines


class UntrustedConfigurationError(ConfigurationError):
    """The configuration does something that needs trust."""

    def __init__(self, position: Position, why: str) -> None:
        super().__init__(position, f"{why}; add --trust if you trust this tree")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One file of a configuration."""

    file: Path
    shown: str
    """The file as messages name it."""
    root: yaml.MappingNode
    """Its content, with positions."""
    data: Mapping[str, Any]
    """Its content as plain data; None if MkDocs would have to run code to find the value."""

    def position_of(self, path: KeyPath) -> Position:
        """Return the line of a key, or of the nearest key above that exists."""
        node: yaml.Node = self.root
        mark = node.start_mark
        for key in path:
            found = _find(node, key)
            if found is None:
                break
            mark, node = found
        return Position(self.shown, mark.line + 1)

    def position_in_plugin(self, path: KeyPath) -> Position:
        """Return the line of an option of the plugin."""
        for place, name in names_in(self.data.get("plugins")):
            if name == PLUGIN:
                return self.position_of(("plugins", *place, *path))
        return self.position_of(("plugins",))

    def nodes(self) -> Iterator[yaml.Node]:
        """Yield every node once, for any number of aliases."""
        seen: set[int] = set()
        waiting: list[yaml.Node] = [self.root]
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if isinstance(node, yaml.MappingNode):
                waiting.extend(part for pair in node.value for part in pair)
            elif isinstance(node, yaml.SequenceNode):
                waiting.extend(node.value)


def find_inside(file: Path) -> Path:
    """Return the folder that a configuration may read without trust: its repository, or its own."""
    folder = file.resolve().parent
    return find_repository(folder) or folder


def read_configuration(file: Path, *, trusted: bool = True) -> tuple[Configuration, ...]:
    """Return a configuration file and those it inherits from, itself first.

    Raises:
        ConfigurationError: A file is missing, no YAML mapping, out of reach, or inherits from
            itself.
    """
    found = [_read(file, Position(_shown(file)))]
    while (parent := found[-1].data.get("INHERIT")) is not None:
        position = found[-1].position_of(("INHERIT",))
        if not isinstance(parent, str):
            raise ConfigurationError(position, "INHERIT must be the path of a file")
        path = found[-1].file.parent / parent
        if any(path.resolve() == configuration.file.resolve() for configuration in found):
            raise ConfigurationError(position, f"{parent} inherits from itself")
        if not trusted and not is_inside(path.resolve(), find_inside(file)):
            raise UntrustedConfigurationError(position, f"INHERIT: {parent} leads outside")
        found.append(_read(path, position))
    return tuple(found)


def refuse_without_plugin(configurations: Sequence[Configuration]) -> None:
    """Refuse a configuration without the plugin, before MkDocs complains of anything else.

    Raises:
        ConfigurationError: None of the files lists it.
    """
    named = []
    for one in configurations:
        plugins = one.data.get("plugins")
        named += [
            (one, *entry) for entry in names_in([plugins] if isinstance(plugins, str) else plugins)
        ]
    if any(name == PLUGIN for _, _, name in named):
        return
    for configuration, path, name in named:
        if find_similar(name, (PLUGIN,)):
            why = f"`plugins` lists '{name}'; did you mean '{PLUGIN}'?"
            raise ConfigurationError(configuration.position_of(("plugins", *path)), why)
    first = next((one for one in configurations if "plugins" in one.data), configurations[0])
    why = f"`plugins` does not list {PLUGIN}; add '- {PLUGIN}:' with 'master:' and 'inventory:'"
    raise ConfigurationError(first.position_of(("plugins",)), f"{why} below it")


def names_in(entries: object) -> Iterator[tuple[KeyPath, str]]:
    """Yield the names in a list of names and of mappings with names as keys, with their paths."""
    if isinstance(entries, Mapping):
        yield from (((name,), str(name)) for name in entries)
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping):
            yield from (((index, name), str(name)) for name in entry)
        else:
            yield (index,), str(entry)


def refuse_second_entry(*configurations: Configuration) -> None:
    """Refuse a file that lists the plugin twice, because only one of the two would count.

    Raises:
        ConfigurationError: A file lists it twice.
    """
    for configuration in configurations:
        plugins = names_in(configuration.data.get("plugins"))
        found = [place for place, name in plugins if name == PLUGIN]
        if len(found) > 1:
            position = configuration.position_of(("plugins", *found[1]))
            raise ConfigurationError(position, "`plugins` lists pillarbook twice; keep one of them")


def _read(file: Path, asked_at: Position) -> Configuration:
    shown = _shown(file)
    text = ""
    try:
        text = DISK.read(file).decode("utf-8-sig")
        loader = _Loader(text)
        root = compose(loader, text)
        data = loader.construct_document(root) if root is not None else {}
    except FileNotFoundError as error:
        raise ConfigurationError(asked_at, f"there is no {shown}") from error
    except OSError as error:
        raise ConfigurationError(asked_at, f"cannot read {shown}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(Position(shown), "the file is not UTF-8") from error
    except (yaml.YAMLError, RecursionError) as error:
        fault = explain_syntax(error, text, shown=shown, what=WHAT, code=CODE)
        raise ConfigurationError(fault.position or Position(shown), fault.message) from error
    if not isinstance(root, yaml.MappingNode):
        raise ConfigurationError(Position(shown, 1), "a MkDocs configuration is a mapping")
    configuration = Configuration(file, shown, root, data)
    for node in configuration.nodes():
        if isinstance(node, yaml.ScalarNode) and NO_TEXT.search(node.value):
            position = Position(shown, node.start_mark.line + 1)
            raise ConfigurationError(position, "this text has a character that no file can have")
    return configuration


class _Loader(PlacedLoader):
    """Reads plain data, and leaves out values with a tag of their own."""


_Loader.add_constructor(None, lambda _loader, _node: None)


def _shown(file: Path) -> str:
    absolute = file.absolute()
    here = Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else file)


def _find(node: yaml.Node, key: object) -> tuple[yaml.Mark, yaml.Node] | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        member = node.value[key]
        return member.start_mark, member
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if isinstance(name, yaml.ScalarNode) and name.value == str(key):
                return name.start_mark, value
    return None
