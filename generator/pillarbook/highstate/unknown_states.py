"""The part of a state SLS that is known if some of its values are not.

Salt only hands on the value of an ordinary argument to the state's function. IDs, functions, names
and requisites decide which chunks there are and in which order. A state in which one of these is
not known is left out and reported; the others are exact, but for the number of their place.

Salt's states read the clear values of a pillar, so whatever a template makes of ciphertext would be
wrong: a branch, a length, YAML with a message of many lines in it. For the render, values that are
not decrypted are unknown values, too. An argument that is such a value as a whole is its ciphertext
again, which is redacted as in the pillar.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pillarbook.compile.project import Remembered
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.secret_marks import map_leaves
from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf, unknown_leaf
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.highstate.compiled_states import UNKNOWN_STATE
from pillarbook.highstate.keywords import REQUISITES, TURNED
from pillarbook.highstate.mutable_high_data import HighMap, leaf_at
from pillarbook.highstate.state_faults import place_of
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, format_path, with_members
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, UnknownKey, UnprovenUnknown, unknown_of
from pillarbook.patterns.ciphertexts import find_ciphertext

REMEDY = "declare answers; `pillarbook answers list` prints the lines for that"
DECRYPT = "decrypt the pillar: use `decrypt: true` in mkdocs.yml and `--trust`, where the keys are"
_OF_FILE = frozenset(("include", "extend", "exclude"))
"""Keys of an SLS that are no IDs; they change other states."""
_DECIDING = REQUISITES | TURNED | {"fun", "listen_in", "name", "names", "order", "state"}
"""Arguments that decide which chunks there are, and in which order."""


@dataclass(frozen=True, slots=True, eq=False)
class UnsureState:
    """A state that is not known, or that may not exist."""

    name: Any
    """Its ID."""
    node: Node
    """What is known of it."""

    @property
    def unknown(self) -> Unknown:
        """What it depends on."""
        found = [one.value for one in all_leaves(self.node) if one.value.__class__ is Unknown]
        joined: Unknown = found[0].joined(*found[1:])
        return joined

    def unproven(self, sls: str) -> UnprovenUnknown:
        """Return the signal that any state may change because of it."""
        return UnprovenUnknown(sls, place_of(self.node.origins), self.unknown.sources)

    def describe(self, sls: str) -> Diagnostic:
        """Return the note about it."""
        is_named = self.name.__class__ is not UnknownKey
        what = f"the state '{self.name}'" if is_named else f"a state of SLS '{sls}'"
        message = f"{what} is left out, because it depends on {', '.join(self.unknown.sources)}"
        is_sealed = all(source.startswith("pillar ") for source in self.unknown.sources)
        remedy = DECRYPT if is_sealed else REMEDY
        return new_diagnostic(UNKNOWN_STATE, message, place_of(self.node.origins), remedy=remedy)


def split_known(
    tree: MapNode, result: RenderResult | None
) -> tuple[MapNode, tuple[UnsureState, ...]]:
    """Return the states of an SLS that are known, and the others.

    Raises:
        UnprovenUnknown: What is unknown may change any state.
    """
    unsure: dict[Any, Node] = {}
    if result is not None and result.has_unknown:
        unsure = {key: node for key, node in tree.items.items() if not _is_known(key, node)}
    if not unsure:
        return tree, ()
    deciding = next((key for key in unsure if key in _OF_FILE), None)
    if deciding is not None:
        raise UnsureState(deciding, unsure[deciding]).unproven("" if result is None else result.sls)
    known = {key: node for key, node in tree.items.items() if key not in unsure}
    states = tuple(UnsureState(key, node) for key, node in unsure.items())
    return replace(tree, items=known, kind="plain"), states


def _is_known(key: Any, body: Node) -> bool:
    """Say whether only values of ordinary arguments are unknown in what an ID declares."""
    if key.__class__ is UnknownKey:
        return False
    if not isinstance(body, MapNode) or key in _OF_FILE:
        return not holds_unknown_leaf(body)
    return body.kind != "open" and all(map(_are_arguments_plain, body.items.values()))


def _are_arguments_plain(arguments: Node) -> bool:
    if not isinstance(arguments, ListNode):
        return not holds_unknown_leaf(arguments)
    return all(map(_is_argument_plain, arguments.items))


def _is_argument_plain(argument: Node) -> bool:
    if not isinstance(argument, MapNode) or argument.kind == "open":
        return not holds_unknown_leaf(argument)
    decide = (value for key, value in argument.items.items() if key in _DECIDING)
    return not any(map(holds_unknown_leaf, decide))


def hide_orders(chunks: Iterable[HighMap], exact_below: int, unsure: Sequence[UnsureState]) -> None:
    """Replace the orders of chunks that are other ones if a state exists."""
    first, *others = [one.unknown for one in unsure]
    unknown = first.joined(*others)
    for chunk in chunks:
        order = chunk.get("order")
        if isinstance(order, Leaf) and isinstance(order.value, int) and order.value >= exact_below:
            chunk["order"] = leaf_at(unknown, order.origins)


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
