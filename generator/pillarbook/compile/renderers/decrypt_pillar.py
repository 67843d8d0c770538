"""The master option ``decrypt_pillar``: decrypts parts of a merged pillar.

Salt decrypts containers in place, so all aliases of a container change. It replaces a scalar in the
container above, so all aliases of that container change. Trees are immutable here, so the
containers on the path are copied, and the copies replace all containers with the same alias number.

Source: Salt ``salt/pillar/__init__.py`` (``decrypt_pillar``), ``salt/utils/crypt.py``
(``decrypt``), ``salt/utils/data.py`` (``traverse_dict``, ``repack_dictlist``).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import yaml

from pillarbook.compile.renderers.decryption_renderers import (
    REASON,
    DecryptionRenderers,
    NodeRenderer,
)
from pillarbook.compile.renderers.error_words import word_render_error
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import mark_secret
from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.model import Leaf, MapNode, Node, node_at, with_members

MALFORMED = "decrypt_pillar config option is malformed"


class DecryptFailure(str):
    """An entry that Salt adds to ``_errors``, in its words, which may contain ciphertext."""

    __slots__ = ("clean",)
    clean: str
    """The entry in words that may be shown."""

    @classmethod
    def of(cls, message: str, clean: str) -> "DecryptFailure":
        """Return a failure."""
        made = cls(message)
        made.clean = clean
        return made


def decrypt_pillar(
    tree: MapNode, options: Mapping[str, Any], renderers: DecryptionRenderers
) -> tuple[MapNode, list[DecryptFailure]]:
    """Return a decrypted pillar, and the errors.

    Raises:
        RenderError: With such an option, Salt stops the compile.
    """
    asked = options.get("decrypt_pillar")
    if not asked:
        return tree, []
    paths = _repack(asked)
    failures = [] if paths else [DecryptFailure.of(MALFORMED, MALFORMED)]
    delimiter = options.get("decrypt_pillar_delimiter", ":")
    for key, name in paths.items():
        if not isinstance(key, str):
            raise RenderError(f"{type(key).__name__!r} object has no attribute 'split'")
        keys = key.split(delimiter)
        node = _find(tree, keys)
        if node is None:
            continue
        try:
            render = choose_renderer(
                name or options.get("decrypt_pillar_default", "gpg"), options, renderers
            )
            tree = _put(tree, keys, render(node))
        except RenderError as error:
            lead = f"Failed to decrypt pillar key '{key}': "
            clean = word_render_error(error)
            failures.append(DecryptFailure.of(f"{lead}{error}", f"{lead}{clean}"))
            tree = _put(tree, keys, mark_secret(node, REASON))
    return tree, failures


def _repack(asked: Any) -> dict[Any, Any]:
    """Return the option as path to renderer; empty if it is malformed."""
    if isinstance(asked, Mapping):
        return dict(asked)
    if isinstance(asked, str):
        try:
            asked = load_plain(asked)
        except yaml.parser.ParserError:
            return {}
        except yaml.YAMLError as error:
            raise RenderError(str(error)) from error
    paths: dict[Any, Any] = {}
    for entry in asked if isinstance(asked, list) else ():
        if isinstance(entry, str | int | float):
            paths[entry] = None
        elif isinstance(entry, Mapping) and len(entry) == 1:
            paths.update(entry)
        else:
            return {}
    return paths


def _find(tree: Node, keys: list[str]) -> Node | None:
    """Return the value at a path of mappings; None if there is none, or null."""
    node = node_at(tree, tuple(keys))
    return None if isinstance(node, Leaf) and node.value is None else node


def choose_renderer(
    name: Any, options: Mapping[str, Any], renderers: DecryptionRenderers
) -> NodeRenderer:
    """Return a renderer that ``decrypt_pillar_renderers`` allows.

    Raises:
        RenderError: The option does not allow it, or it does not exist.

    Source: Salt ``salt/utils/crypt.py`` (``decrypt``).
    """
    valid = options.get("decrypt_pillar_renderers", ["gpg"])
    if isinstance(valid, str | list | tuple | Mapping) and valid and name not in valid:
        choices = ", ".join(str(choice) for choice in valid)
        raise RenderError(
            f"'{name}' is not a valid decryption renderer. Valid choices are: {choices}"
        )
    render = renderers.find(name)
    if render is None:
        raise RenderError(f"Decryption renderer '{name}' is not available")
    return render


def _put(tree: MapNode, keys: list[str], node: Node) -> MapNode:
    """Return the tree with a node at a path; all aliases of changed containers are replaced."""
    way: list[MapNode] = [tree]
    for key in keys[:-1]:
        below = way[-1].items[key]
        assert isinstance(below, MapNode)  # noqa: S101 (the path was found)
        way.append(below)
    if way[-1].items[keys[-1]] is node:
        return tree
    renewed: dict[int, Node] = {}
    _gather(node, renewed)
    for key, above in zip(reversed(keys), reversed(way), strict=True):
        node = replace(above, items={**above.items, key: node})
        if node.alias:
            renewed[node.alias] = node
    made = _renew(node, renewed, {}) if renewed else node
    assert isinstance(made, MapNode)  # noqa: S101 (so was the tree)
    return made


def _gather(node: Node, found: dict[int, Node]) -> None:
    """Collect the shared containers at and below a node, by alias number."""
    if isinstance(node, Leaf) or not node.shared:
        return
    if node.alias:
        found[node.alias] = node
    for item in node.items.values() if isinstance(node, MapNode) else node.items:
        _gather(item, found)


def _renew(node: Node, renewed: Mapping[int, Node], made: dict[int, Node]) -> Node:
    """Return a tree whose containers with certain alias numbers are replaced by new ones."""
    if isinstance(node, Leaf) or not node.shared:
        return node
    if id(node) not in made:
        new = renewed.get(node.alias)
        # The members are those of the new one, and the overridden origins its own.
        items: Any = new.items if isinstance(new, type(node)) else node.items
        members = items.values() if isinstance(items, Mapping) else items
        below = [_renew(item, renewed, made) for item in members]
        made[id(node)] = with_members(replace(node, items=items), below)
    return made[id(node)]
