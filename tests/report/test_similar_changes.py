"""What is one change for a reader: replaced members, renamed keys, equal changes of siblings."""

from typing import Any

import pytest
from tests.compare.pillars import as_pillar

from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.redact import Redacted
from pillarbook.report.diff_wording import describe_how_often, show_path
from pillarbook.report.told_changes import describe_changes

HSTS, CSP = "max-age=31536000", "default-src 'self'"


def compare(base: Any, head: Any) -> Diff:
    builder = DiffBuilder()
    for name in ("web1", "web2"):
        builder.add(as_pillar(base, minion=name), as_pillar(head, minion=name))
    return builder.finish("base", "head", [])


def tell(base: Any, head: Any) -> list[tuple[str, str, str]]:
    """Return the kind, path and remark of each change that a reader sees."""
    diff = compare(base, head)
    told = [one for group in describe_changes(diff) for one in group.told]
    assert sorted(atom.id for one in told for atom in one.atoms) == list(
        range(1, len(diff.atoms) + 1)
    )
    return [(one.change.kind, show_path(one), describe_how_often(one, str)) for one in told]


def hosts(value: Any) -> dict[str, Any]:
    return {f"site{number}": {"headers": [CSP, value], "name": number} for number in range(18)}


CASES: dict[str, tuple[Any, Any, list[tuple[str, str, str]]]] = {
    "a replaced member": (
        {"a": ["x", HSTS, "y"]},
        {"a": ["x", "max-age=3600", "y"]},
        [("changed", "a:1", "")],
    ),
    "settings by what they set": (
        {"a": ["mode=1", "size=2", "z"]},
        {"a": ["size=3", "depth=4", "z"]},
        [("removed", "a:0", ""), ("added", "a:1", ""), ("changed", "a:[]", "")],
    ),
    "eighteen of them": (
        {"hosts": hosts(HSTS)},
        {"hosts": hosts("max-age=3600")},
        [("changed", "hosts:*:headers:1", " (18 times)")],
    ),
    "a list in another order": (
        {"a": list("12345")},
        {"a": list("54321")},
        [("moved", "a", " (4 members moved)")],
    ),
    "three members moved": (
        {"a": list("1234")},
        {"a": list("4312")},
        [("moved", "a", ""), ("moved", "a", "")],
    ),
    "members with one setting": (
        {"a": [f"site{number} max-age=100; x" for number in range(18)]},
        {"a": [f"site{number} max-age=5; x" for number in range(18)]},
        [("changed", "a:[]", " (18 times, one of 18 variants)")],
    ),
    "members with one word, which names nothing": (
        {"a": ["RootLogin no", "Forwarding no", "Passwords no"]},
        {"a": ["RootLogin yes", "Forwarding yes", "Passwords yes"]},
        [("changed", f"a:{number}", "") for number in range(3)],
    ),
    "mappings of a list, edited alike": (
        {"a": [{"name": number, "timeout": 30} for number in range(18)]},
        {"a": [{"name": number, "timeout": 60} for number in range(18)]},
        [("changed", "a:[]:timeout", " (18 times)")],
    ),
    "a member more": ({"a": ["x"]}, {"a": ["x", "y"]}, [("added", "a:1", "")]),
    "another number of members": (
        {"a": ["x", "y", 1]},
        {"a": ["z", 1]},
        [("removed", "a:0", ""), ("removed", "a:1", ""), ("added", "a:0", "")],
    ),
    "no member stays": ({"a": ["x", "y"]}, {"a": ["z"]}, [("changed", "a", "")]),
    "no member of a list in a list stays": (
        {"a": [1, ["x", "y"]]},
        {"a": [1, ["z"]]},
        [("changed", "a:1", "")],
    ),
    "no mapping stays": (
        {"a": [{"name": "x"}, {"name": "y"}]},
        {"a": [{"id": 1}, {"id": 2}]},
        [("changed", "a", "")],
    ),
    "a renamed key": (
        {"old": {"b": 1, "c": 2}},
        {"new": {"b": 1, "c": 2}},
        [("added", "new", " (renamed from old)")],
    ),
    "a short value is no name": (
        {"old": 1},
        {"new": 1},
        [("removed", "old", ""), ("added", "new", "")],
    ),
    "a renamed key of a number": (
        {"db": {"max_connections": 100, "x": 1}},
        {"db": {"connections_max": 100, "x": 1}},
        [("added", "db:connections_max", " (renamed from db:max_connections)")],
    ),
    "a number elsewhere": (
        {"db": {"max_connections": 100, "x": 1}},
        {"web": {"port": 100}, "db": {"x": 1}},
        [("removed", "db:max_connections", ""), ("added", "web", "")],
    ),
    "a renamed key of a secret": (
        {"db": {"password": Redacted("key names a password", 7), "x": 1}},
        {"db": {"pass": Redacted("key names a password", 7), "x": 1}},
        [("added", "db:pass", " (renamed from db:password)")],
    ),
    "a decrypted secret, compared nowhere else": (
        {"db": {"password": Redacted("gpg renderer", 7, here=1), "x": 1}},
        {"db": {"pass": Redacted("gpg renderer", 7, here=2), "x": 1}},
        [("removed", "db:password", ""), ("added", "db:pass", "")],
    ),
    "a removed member, and a change in the one at its position": (
        {"users": [{"name": name, "uid": 1} for name in "abc"]},
        {"users": [{"name": "a", "uid": 1}, {"name": "c", "uid": 2}]},
        [("removed", "users:1 (before)", ""), ("changed", "users:1:uid", "")],
    ),
    "a removed member, and a change in the one before": (
        {"users": [{"name": name, "uid": 1} for name in "ab"]},
        {"users": [{"name": "a", "uid": 2}]},
        [("removed", "users:1", ""), ("changed", "users:0:uid", "")],
    ),
    "a switch": (
        {"db": {"on": True, "x": 1}},
        {"db": {"off": True, "x": 1}},
        [("removed", "db:on", ""), ("added", "db:off", "")],
    ),
    "one of two": (
        {"old": [1, 2], "older": [1, 2]},
        {"new": [1, 2], "newer": [1, 2]},
        [
            ("removed", "old", ""),
            ("removed", "older", ""),
            ("added", "new", ""),
            ("added", "newer", ""),
        ],
    ),
    "two siblings": (
        {"a": {"x": {"p": 1}, "y": {"p": 1}}},
        {"a": {"x": {"p": 2}, "y": {"p": 2}}},
        [("changed", "a:x:p", ""), ("changed", "a:y:p", "")],
    ),
    "siblings with other values": (
        {"a": {key: {"p": 1} for key in "xyz"}},
        {"a": {key: {"p": key} for key in "xyz"}},
        [("changed", "a:x:p", ""), ("changed", "a:y:p", ""), ("changed", "a:z:p", "")],
    ),
    "three siblings and another": (
        {"a": {key: {"p": 1} for key in "wxyz"}},
        {"a": {key: {"p": 3 if key == "w" else 2} for key in "wxyz"}},
        [("changed", "a:w:p", ""), ("changed", "a:*:p", " (3 times)")],
    ),
    "a key that is a star": (
        {"a": {"*": {"p": 1}}},
        {"a": {"*": {"p": 2}}},
        [("changed", "a:*:p", "")],
    ),
}


@pytest.mark.parametrize(("base", "head", "expected"), CASES.values(), ids=CASES)
def test_what_a_reader_counts(base: Any, head: Any, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(tell(base, head)) == sorted(expected)
