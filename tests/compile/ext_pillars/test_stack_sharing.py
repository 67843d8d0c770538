"""What minions, and the two sides of a comparison, share of their stacks."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.stack import context_of, new_stack

from pillarbook.compile.renderers.yaml_loader import load_tree
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.model import MapNode, Node

OWN = "who: {name: {{ minion_id }}, roles: [web]}\n"
"""A document that prints the minion."""
SAME = "same: {a: 1, b: [x]}\nlist: [1, 2]\ntext: words\n"
"""A document that is the same for all minions."""


class Stacks:
    """The stacks of minions, with documents that are parsed once."""

    def __init__(self, folder: Path, **files: str) -> None:
        self._folder = folder
        self._parsed = ParsedDocuments()
        self._files = {
            "stack.cfg": "".join(f"{name}.yml\n" for name in files),
            **{f"{name}.yml": text for name, text in files.items()},
        }

    def of(self, minion: str) -> dict[Any, Node]:
        """Return the stack of a minion as another run would make it."""
        write_files(self._folder, self._files)
        context = context_of(self._folder, minion=minion, parsed=self._parsed)
        tree = new_stack()(context, "stack.cfg")
        assert isinstance(tree, MapNode)
        return dict(tree.items)


def test_values_that_no_file_merges_are_the_same_nodes(tmp_path: Path) -> None:
    stacks = Stacks(tmp_path, same=SAME, own=OWN)
    one, other = stacks.of("m1"), stacks.of("m2")
    assert [key for key in one if one[key] is other[key]] == ["same", "list", "text"]
    assert _member(one["who"], "roles") is _member(other["who"], "roles")
    assert _member(one["who"], "name") is not _member(other["who"], "name")


def _member(node: Node, key: str) -> Node:
    assert isinstance(node, MapNode)
    found: Node = node.items[key]
    return found


@pytest.mark.parametrize(
    "other",
    [
        "same: {a: 1}\n",
        "same: {__: merge-first, b: [y]}\n",
        "same: {__: remove, b: 0}\n",
        "{% do stack['same'].update({'c': 1}) %}\n",
        "{% do stack['same'].pop('a') %}\n",
        "{% do stack['same'].update({'b': stack['list']}) %}\n",
        "{% do stack['same'].update({'a': true}) %}\n",
        "{% set one = stack['same'].pop('a') %}{% do stack['same'].update({'a': one}) %}\n",
    ],
)
def test_a_merged_or_changed_value_is_a_new_node(other: str, tmp_path: Path) -> None:
    stacks = Stacks(tmp_path, same=SAME, other=other)
    assert stacks.of("m1")["same"] is not stacks.of("m1")["same"]


def test_a_key_of_another_type_is_another_key(tmp_path: Path) -> None:
    change = "{% do stack['m'].update({true: stack['m'].pop(1)}) %}\n"
    stacks = Stacks(tmp_path, number="m: {1: x}\n", change=change)
    found = stacks.of("m1")["m"]
    assert isinstance(found, MapNode)
    assert [type(key) for key in found.items] == [bool]


def test_an_unchanged_document_is_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    def note(rendered: Any, *args: Any, **given: Any) -> Any:
        loaded.append(rendered.text)
        return load_tree(rendered, *args, **given)

    monkeypatch.setattr("pillarbook.compile.ext_pillars.pillar_stack.load_tree", note)
    stacks = Stacks(tmp_path, same=SAME, own=OWN, empty="# nothing\n")
    for number in range(5):
        stacks.of(f"m{number}")
    assert loaded.count(SAME.rstrip("\n")) == 1
    assert len(loaded) == 3
