"""What an MkDocs configuration may do that nobody has said to trust.

Everything here either runs code of the tree's choice in MkDocs, or reads files or variables that
lie outside the tree into the site.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pillarbook.model import KeyPath, Position
from pillarbook.publish.configuration import (
    PLUGIN,
    Configuration,
    UntrustedConfigurationError,
    find_inside,
)

KNOWN_PLUGINS = frozenset({PLUGIN, "search"})
KNOWN_EXTENSIONS = frozenset(
    {
        "abbr",
        "admonition",
        "attr_list",
        "codehilite",
        "def_list",
        "extra",
        "fenced_code",
        "footnotes",
        "legacy_attrs",
        "legacy_em",
        "md_in_html",
        "meta",
        "nl2br",
        "sane_lists",
        "smarty",
        "tables",
        "toc",
        "wikilinks",
    }
)
"""Python-Markdown's own; any other name makes it import a module and call what is in it."""


def refuse_untrusted(configurations: Iterable[Configuration], *, own_site_dir: bool = True) -> None:
    """Stop at the first thing that a configuration may not do without trust.

    Args:
        configurations: A configuration file and those it inherits from, itself first.
        own_site_dir: Whether its own ``site_dir`` counts, or the command names another.

    Raises:
        UntrustedConfigurationError: There is such a thing.
    """
    files = tuple(configurations)
    folder = files[0].file.resolve().parent
    inside = find_inside(files[0].file)
    for configuration in files:
        _refuse_tags(configuration)
        for path, why in _find_code(configuration.data):
            raise UntrustedConfigurationError(configuration.position_of(path), why)
        for key in ("docs_dir", "site_dir") if own_site_dir else ("docs_dir",):
            named = configuration.data.get(key)
            if isinstance(named, str):
                _refuse_outside(folder / named, inside, configuration.position_of((key,)))
    _refuse_links(files, inside)


def _refuse_tags(configuration: Configuration) -> None:
    for node in configuration.nodes():
        position = Position(configuration.shown, node.start_mark.line + 1)
        if node.tag.startswith("tag:yaml.org,2002:python/"):
            raise UntrustedConfigurationError(position, "a Python tag runs code")
        if node.tag == "!ENV":
            why = "!ENV reads a variable of the environment into the site"
            raise UntrustedConfigurationError(position, why)


def _find_code(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    if data.get("hooks"):
        yield ("hooks",), "hooks run Python code"
    if data.get("extra_templates"):
        yield ("extra_templates",), "extra templates are rendered without a sandbox"
    theme = data.get("theme")
    if isinstance(theme, Mapping) and theme.get("custom_dir"):
        yield ("theme", "custom_dir"), "templates of a theme are rendered without a sandbox"
    for path, name in _names(data, "plugins"):
        if name.removeprefix("/") not in KNOWN_PLUGINS:
            yield path, f"the plugin {name} is not one that pillarbook knows"
    for path, name in _names(data, "markdown_extensions"):
        if name.removeprefix("markdown.extensions.") not in KNOWN_EXTENSIONS:
            yield path, f"the Markdown extension {name} is not one that pillarbook knows"


def _names(data: Mapping[str, Any], key: str) -> Iterator[tuple[KeyPath, str]]:
    """Yield the names in a list of names and of mappings with names for keys, and their paths."""
    entries = data.get(key)
    if isinstance(entries, Mapping):
        yield from (((key, name), str(name)) for name in entries)
        return
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping):
            yield from (((key, index, name), str(name)) for name in entry)
        else:
            yield (key, index), str(entry)


def _refuse_links(files: tuple[Configuration, ...], inside: Path) -> None:
    """Refuse links among the hand-written pages that lead outside: MkDocs would copy what is there.

    A link to a folder above itself would make MkDocs walk in circles; such a one is refused too.
    """
    named = [configuration for configuration in files if "docs_dir" in configuration.data]
    docs = files[0].file.parent / str(named[0].data["docs_dir"] if named else "docs")
    position = named[0].position_of(("docs_dir",)) if named else Position(files[0].shown)
    for folder, subfolders, names in os.walk(docs):
        for name in (*subfolders, *names):
            path = Path(folder, name)
            if path.is_symlink():
                _refuse_outside(path, inside, position)


def _refuse_outside(path: Path, inside: Path, position: Position) -> None:
    if not path.resolve().is_relative_to(inside):
        raise UntrustedConfigurationError(position, f"{path} leads outside {inside}")
