"""Reads the ``pillarbook`` section of mkdocs.yml without constructing the rest of the file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from pillarbook.diagnostics import new_diagnostic
from pillarbook.inventory.config_yaml import PlacedLoader, compose, key_lines
from pillarbook.inventory.declaration_errors import SettingsError, describe
from pillarbook.inventory.settings_checks import CODE
from pillarbook.inventory.text_file import UnreadableError, explain_syntax, read_text
from pillarbook.model import KeyPath, Position
from pillarbook.roots.file_access import DISK, Files

NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that YAML can have, but no path and no page."""
WHAT = "the MkDocs configuration"
"""What messages call the file."""
_PLUGIN = "pillarbook"
_DEEPEST = 6
_ADD_PLUGIN = "add '- pillarbook:' under 'plugins:', with 'master:' and 'inventory:' below it"


@dataclass(frozen=True, slots=True)
class PluginSection:
    """The plugin's options before any check."""

    values: Mapping[str, Any]
    """The options by name."""
    file: str
    """The name of the configuration file in messages."""
    line: int
    """The first line of the section."""
    lines: Mapping[KeyPath, int]
    """The line of each key and list member."""

    def position_of(self, path: KeyPath) -> Position:
        """Return the line of a key path, or of the nearest key above it."""
        for end in range(len(path), 0, -1):
            line = self.lines.get(tuple(_as_written(key) for key in path[:end]))
            if line is not None:
                return Position(self.file, line)
        return Position(self.file, self.line)


def locate_section(mkdocs_yml: Path, files: Files = DISK) -> PluginSection:
    """Return the section of the plugin ``pillarbook``.

    Raises:
        SettingsError: The file is missing or broken, has no such section, or the section is not a
            mapping or has tags.
    """
    shown = str(mkdocs_yml)
    text = ""
    try:
        text = read_text(mkdocs_yml, shown=shown, what=WHAT, code=CODE, read=files.read)
        return _read_section(text, shown)
    except UnreadableError as error:
        raise SettingsError([error.fault]) from error
    except (yaml.YAMLError, RecursionError) as error:
        fault = explain_syntax(error, text, shown=shown, what=WHAT, code=CODE)
        raise SettingsError([fault]) from error


def _read_section(text: str, shown: str) -> PluginSection:
    loader = PlacedLoader(text)
    try:
        root = compose(loader, text)
        line, node = _find_plugin(root, shown)
        if node is None:
            return PluginSection({}, shown, line, {})
        _refuse_nodes(node, shown)
        values = loader.construct_document(node)
        if values is None:
            return PluginSection({}, shown, line, {})
        if not isinstance(values, dict):
            _fail(f"the section 'pillarbook' is {describe(values)}", shown, line, _ADD_PLUGIN)
        return PluginSection(values, shown, line, key_lines(node, depth=_DEEPEST))
    finally:
        loader.dispose()


def _find_plugin(root: yaml.Node | None, shown: str) -> tuple[int, yaml.Node | None]:
    """Return the line of the plugin's name, and its options if it has any."""
    if not isinstance(root, yaml.MappingNode):
        _fail(f"{WHAT} must be a mapping", shown, 1, _ADD_PLUGIN)
    found = {
        key.value: (key, below) for key, below in root.value if isinstance(key, yaml.ScalarNode)
    }
    if _PLUGIN in found:
        line = found[_PLUGIN][0].start_mark.line + 1
        remedy = "put it below `plugins:`, as '- pillarbook:', and indent its options further"
        _fail("'pillarbook' is not below 'plugins'", shown, line, remedy)
    if "plugins" not in found:
        remedy = _ADD_PLUGIN
        if "INHERIT" in found:
            remedy += "; a parent configuration (INHERIT) is not read"
        _fail("'plugins' is missing", shown, 1, remedy)
    key, plugins = found["plugins"]
    _refuse_siblings(plugins, shown)
    own = [(name, node) for name, node in _list_plugins(plugins) if name.value == _PLUGIN]
    if len(own) > 1:
        line = own[1][0].start_mark.line + 1
        _fail("'plugins' lists pillarbook twice", shown, line, "keep one of them")
    for name, node in own:
        return name.start_mark.line + 1, node
    line = key.start_mark.line + 1
    return _fail("'plugins' does not name pillarbook", shown, line, _ADD_PLUGIN)


def _refuse_siblings(plugins: yaml.Node, shown: str) -> None:
    """Refuse options that are beside the plugin's name, and not below it."""
    for entry in plugins.value if isinstance(plugins, yaml.SequenceNode) else ():
        keys = [key for key, _ in entry.value] if isinstance(entry, yaml.MappingNode) else []
        if len(keys) > 1 and keys[0].value == _PLUGIN:
            message = f"'{keys[1].value}' is beside 'pillarbook', and not below it"
            remedy = "indent the options by four spaces more than the dash of '- pillarbook:'"
            _fail(message, shown, keys[1].start_mark.line + 1, remedy)


def _list_plugins(plugins: yaml.Node) -> list[tuple[yaml.Node, yaml.Node | None]]:
    """Return each plugin's name and options; MkDocs takes a list and a mapping."""
    entries = plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins]
    found: list[tuple[yaml.Node, yaml.Node | None]] = []
    for entry in entries:
        if isinstance(entry, yaml.MappingNode):
            found.extend(entry.value)
        else:
            found.append((entry, None))
    return found


def _refuse_nodes(node: yaml.Node, shown: str) -> None:
    """Refuse tags such as ``!ENV``, whose value is unknown, and characters that no file has."""
    seen: set[int] = set()
    queue = [node]
    for one in queue:  # grows while it is walked
        if id(one) in seen:
            continue
        seen.add(id(one))
        if not one.tag.startswith("tag:yaml.org,2002:") or "python" in one.tag:
            message = f"the section 'pillarbook' has the tag '{one.tag}', which is not read"
            _fail(message, shown, one.start_mark.line + 1, "write the value itself")
        if isinstance(one, yaml.ScalarNode) and NO_TEXT.search(one.value):
            message = "the section 'pillarbook' has a character that no file can have"
            _fail(message, shown, one.start_mark.line + 1, "remove it")
        if isinstance(one, yaml.MappingNode):
            queue.extend(part for pair in one.value for part in pair)
        elif isinstance(one, yaml.SequenceNode):
            queue.extend(one.value)


def _fail(message: str, shown: str, line: int, remedy: str) -> NoReturn:
    raise SettingsError([new_diagnostic(CODE, message, Position(shown, line), remedy=remedy)])


def _as_written(key: Any) -> Any:
    """Return a key as its node has it: list positions are numbers, all other keys text."""
    return key if isinstance(key, int) and not isinstance(key, bool) else str(key)
