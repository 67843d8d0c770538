"""A part that the trees of several minions share is searched for secrets once."""

import pytest
from tests.support.stack import as_tree

from pillarbook.model import KeyPath, Leaf, MapNode, Node
from pillarbook.redact import Rules
from pillarbook.taint.taint_readers import TaintReaders


def test_a_shared_part_is_judged_once_for_each_path(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[KeyPath] = []
    is_secret = TaintReaders.is_secret

    def note(self: TaintReaders, path: KeyPath, leaf: Leaf) -> bool:
        judged.append(path)
        return is_secret(self, path, leaf)

    monkeypatch.setattr(TaintReaders, "is_secret", note)
    readers = TaintReaders(Rules())
    shared = as_tree({"text": "Kq-8-open", "port": 1})

    def tree(**items: Node) -> MapNode:
        return MapNode(items, (), kind="plain")

    assert not any(readers.any_below(tree(web=shared, own=Leaf(n, ()))) for n in ("a", "b", "c"))
    assert judged == [("web", "text"), ("web", "port"), ("own",), ("own",), ("own",)]
    assert readers.any_below(tree(password=shared))
