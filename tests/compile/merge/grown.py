"""Trees from YAML, and what merging made of them, in a form that fits a table."""

from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_loader import load_tree
from pillarbook.model import Leaf, MapNode, Node, Origin, format_path, leaves
from pillarbook.model.tree import MapKind


def grow_yaml(text: str, file: str, kind: MapKind = "ordered") -> MapNode:
    """Return the tree of a YAML mapping, each value with its line of ``file``."""

    def locate(place: Line, value: Any) -> Origin:
        return Origin(place[0], place[1], file, "base", value)

    tree = load_tree(SourceText.of_file(text, file), locate, Limits(), kind=kind)
    assert isinstance(tree, MapNode)
    return tree


def describe(node: Node) -> dict[str, tuple[Any, str]]:
    """Return ``{path: (value, "file:line file:line")}``, oldest first."""
    told: dict[str, tuple[Any, str]] = {}
    for path, leaf, origins in leaves(node):
        value = leaf.value if isinstance(leaf, Leaf) else type(leaf.items)()
        places = " ".join(f"{origin.file}:{origin.line}" for origin in origins)
        told[format_path(path)] = (value, places)
    return told
