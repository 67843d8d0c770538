"""Which lines of files are secret is looked up once for what files of many minions share."""

from typing import Any

import pytest

from pillarbook.model import Leaf, MapNode, Node, Origin
from pillarbook.redact import Rules, SecretStore
from pillarbook.redact.judged_paths import JudgedPath
from pillarbook.redact.node_redactor import NodeRedactor


def leaf(value: Any) -> Leaf:
    return Leaf(value, (Origin("app.sls", 1, "app", "base", value),))


def test_what_two_trees_share_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, store = Rules(), SecretStore(b"k" * 32)
    redactor = NodeRedactor(rules, store)
    asked: list[Any] = []
    judge = rules.judge

    def count(at: JudgedPath, value: Any, mark: str | None = None) -> str | None:
        asked.append(at.keys)
        return judge(at, value, mark)

    monkeypatch.setattr(rules, "judge", count)
    shared: Node = MapNode({"password": leaf("hunter-example-1"), "port": leaf(80)}, ())
    trees = [MapNode({"host": leaf(host), "app": shared}, ()) for host in ("one", "two")]
    assert redactor.lines.index(trees)
    # Whether a container is open is decided by its first secret, and its lines are asked for then.
    once = [("app", "password"), ("app", "password"), ("app", "port")]
    assert sorted(asked) == [*once, *[("host",)] * 4]
    assert not redactor.lines.index(trees)
    assert len(asked) == 7


def test_what_stands_under_another_key_is_judged_there() -> None:
    redactor = NodeRedactor(Rules(), SecretStore(b"k" * 32))
    shared: Node = MapNode({"value": leaf("hunter-example-1")}, ())
    assert not redactor.lines.index([MapNode({"app": shared}, ())])
    assert redactor.lines.index([MapNode({"password": shared}, ())])


def test_what_an_empty_container_overrode_is_judged() -> None:
    redactor = NodeRedactor(Rules(), SecretStore(b"k" * 32))
    empty = MapNode({}, (), overrode=leaf("hunter-example-1").origins)
    assert redactor.lines.index([MapNode({"password": empty}, ())])
