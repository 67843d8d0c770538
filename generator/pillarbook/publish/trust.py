"""Checks what an MkDocs configuration may do without trust.

Everything that is refused here either runs code of the tree in MkDocs, or reads files or variables
from outside the tree into the site.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pillarbook.inventory.reach import folder_of
from pillarbook.model import KeyPath, Position
from pillarbook.publish.configuration import (
    PLUGIN,
    Configuration,
    ConfigurationError,
    UntrustedConfigurationError,
    find_inside,
    names_in,
)
from pillarbook.publish.docs_files import EndlessLinksError, StrayLinkError, refuse_stray_links
from pillarbook.roots.no_links import GIT, follow_path, is_inside

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
"""Python-Markdown's own; for any other name it imports a module and calls its code."""


def refuse_untrusted(
    configurations: Iterable[Configuration],
    *,
    own_site_dir: bool = True,
    allow: tuple[Path, ...] = (),
) -> None:
    """Refuse a configuration that does something for which it needs trust.

    The configuration is followed by those it inherits from; without ``own_site_dir``, the command
    names another.

    Raises:
        UntrustedConfigurationError: It does such a thing; the first one is reported.
    """
    files = tuple(configurations)
    folder = files[0].file.absolute().parent
    inside = tuple(follow_path(one).real for one in (find_inside(files[0].file), *allow))
    for configuration in files:
        _refuse_tags(configuration)
        for path, why in _find_code(configuration.data):
            raise UntrustedConfigurationError(configuration.position_of(path), why)
        for key in ("docs_dir", "site_dir") if own_site_dir else ("docs_dir",):
            named = configuration.data.get(key)
            if isinstance(named, str):
                _refuse_outside(folder / named, inside, configuration.position_of((key,)))
        watched = configuration.data.get("watch")
        for index, path in enumerate(watched if isinstance(watched, list) else ()):
            position = configuration.position_of(("watch", index))
            _refuse_outside(folder / str(path), inside, position)
    # Links can lead out of a folder whose name is inside.
    _refuse_links(files, inside)


def _refuse_tags(configuration: Configuration) -> None:
    for node in configuration.nodes():
        position = Position(configuration.shown, node.start_mark.line + 1)
        if node.tag.startswith("tag:yaml.org,2002:python/"):
            raise UntrustedConfigurationError(position, "a Python tag runs code")
        if node.tag == "!ENV":
            why = "!ENV reads a variable of the environment into the site"
            raise UntrustedConfigurationError(position, why)


# docs/decisions/0006 lists what is refused, with the reasons.
def _find_code(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    if data.get("hooks"):
        yield ("hooks",), "hooks run Python code"
    if data.get("extra_templates"):
        yield ("extra_templates",), "extra templates are rendered without a sandbox"
    theme = data.get("theme")
    if isinstance(theme, Mapping) and theme.get("custom_dir"):
        yield ("theme", "custom_dir"), "templates of a theme are rendered without a sandbox"
    yield from _find_plugins(data)
    for path, name in names_in(data.get("markdown_extensions")):
        if name.removeprefix("markdown.extensions.") not in KNOWN_EXTENSIONS:
            why = f"the Markdown extension {name} is not one that pillarbook knows"
            yield ("markdown_extensions", *path), why


def _find_plugins(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    plugins = data.get("plugins")
    for place, name in names_in(plugins):
        path = ("plugins", *place)
        if name.removeprefix("/") not in KNOWN_PLUGINS:
            yield path, f"the plugin {name} is not one that pillarbook knows"
        if name.removeprefix("/") == "search" and _runs_node(plugins, place):
            yield path, "prebuild_index runs the program node"


def _runs_node(data: Any, path: KeyPath) -> bool:
    for key in path:
        data = data[key]
    return isinstance(data, Mapping) and data.get("prebuild_index") not in (None, False, "python")


def _refuse_links(files: tuple[Configuration, ...], inside: tuple[Path, ...]) -> None:
    """Refuse links among the hand-written pages that lead outside: MkDocs would copy their targets.

    A link to a folder above itself is refused too, because MkDocs would follow it without end.
    """
    named = [configuration for configuration in files if "docs_dir" in configuration.data]
    docs = files[0].file.absolute().parent / str(named[0].data["docs_dir"] if named else "docs")
    position = named[0].position_of(("docs_dir",)) if named else Position(files[0].shown)
    try:
        refuse_stray_links(docs, lambda real: any(is_inside(real, one) for one in inside))
    except StrayLinkError as error:
        raise UntrustedConfigurationError(position, str(error)) from error
    except EndlessLinksError as error:
        raise ConfigurationError(position, str(error)) from error
    except (OSError, ValueError) as error:
        raise ConfigurationError(position, f"{docs} cannot be read: {error}") from error


def _refuse_outside(path: Path, inside: tuple[Path, ...], position: Position) -> None:
    try:
        real = follow_path(path).real
    except (OSError, ValueError) as error:
        raise ConfigurationError(position, f"{path} leads nowhere: {error}") from error
    if not any(is_inside(real, one) for one in inside):
        where = "into .git" if GIT in real.parts else f"outside {inside[0]}"
        why = f"{path} leads {where}, to {real} (--allow {folder_of(real)} covers it)"
        raise UntrustedConfigurationError(position, why)
