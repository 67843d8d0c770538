"""Values of the pillar that are not decrypted, as states read them.

Salt's states read the clear values, so whatever a template makes of ciphertext would be wrong: a
branch, a length, YAML with a message of many lines in it. For the render they are unknown values.
An argument that is such a value as a whole is its ciphertext again, which is redacted as in the
pillar.
"""

from functools import partial

from pillarbook.compile.project import Remembered
from pillarbook.compile.renderers.secret_marks import map_leaves
from pillarbook.compile.renderers.unknown_text import unknown_leaf
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, format_path, with_members
from pillarbook.model.unknown import Unknown, unknown_of
from pillarbook.patterns.ciphertexts import find_ciphertext


def hide_sealed(tree: MapNode, remembered: Remembered) -> MapNode:
    """Return a pillar with an unknown value for each one that is not decrypted.

    It is the same object if there are none. What minions share is looked at once.
    """
    members = [
        remembered.derive_of_node(
            ("sealed", key.__class__, key, node), partial(_hide, node, (key,))
        )
        for key, node in tree.items.items()
    ]
    return with_members(tree, members)


def show_sealed(tree: MapNode) -> MapNode:
    """Return states with the ciphertext of each argument that is such a value as a whole."""
    shown = map_leaves(tree, _show)
    assert isinstance(shown, MapNode)  # noqa: S101 (as the tree is)
    return shown


def _hide(node: Node, path: KeyPath) -> Node:
    if isinstance(node, Leaf):
        return _hide_leaf(node, path)
    if isinstance(node, ListNode):
        return with_members(node, [_hide(item, path) for item in node.items])
    return with_members(node, [_hide(item, (*path, key)) for key, item in node.items.items()])


def _hide_leaf(leaf: Leaf, path: KeyPath) -> Leaf:
    # Only a renderer that decrypts marks a value; other ciphertext reaches states as it is.
    value = leaf.value
    if leaf.secret is None or not isinstance(value, str | bytes) or not find_ciphertext(value):
        return leaf
    return unknown_leaf(leaf, Unknown((f"pillar {format_path(path)}",), ciphertext=value))


def _show(leaf: Leaf) -> Leaf:
    unknown = unknown_of(leaf)
    if unknown is None or unknown.ciphertext is None or unknown.may_miss or unknown.untried:
        return leaf
    return Leaf(unknown.ciphertext, leaf.origins)  # by which its pillar key is found
