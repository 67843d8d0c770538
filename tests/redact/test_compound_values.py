"""Sets and tuples are scalars of a pillar: their members are judged, learned and searched."""

from typing import Any

import pytest
from tests.redact.test_door import as_tree, compiled_of

from pillarbook.model import Leaf
from pillarbook.redact import Redactor, Rules, SecretStore

TOKEN = "glpat-EnfU2Zfhg4llYpF7ufmp"
DRAWN = "kRmTFqVYbnoNCcMhX2pZ0WgJdL8sUeAi"
JUDGED = [
    ({"ctl", TOKEN}, "GitLab token"),
    (("x", TOKEN), "GitLab token"),
    (("x", [{"y": TOKEN}]), "GitLab token"),
    ({DRAWN}, "looks random"),
    (("password", "Wintermoth"), "key names a password"),
    (("x", {"password": "Wintermoth"}), "key names a password"),
    (("x", ("password", "Wintermoth")), "key names a password"),
    ({"web", "db"}, None),
    (("port", 8080), None),
    (("token", True), None),
]


@pytest.mark.parametrize(("value", "reason"), JUDGED)
def test_members_are_judged(value: Any, reason: str | None) -> None:
    assert Rules().find_reason(("app", "words"), value) == reason


@pytest.mark.parametrize("make", [set, frozenset, tuple])
def test_a_copy_among_members_is_hidden(make: Any) -> None:
    tree = as_tree({"app": {"password": "Winter-moth-418"}, "host": "web1"})
    words = {"words": Leaf(make(("ctl", "Winter-moth-418")), ()), "names": Leaf(make(("a",)), ())}
    compiled = compiled_of(type(tree)({**tree.items, **words}, ()))
    assert redact(compiled)["words"].reason == "derived from app:password"
    assert redact(compiled)["names"] == make(("a",))


@pytest.mark.parametrize("make", [set, frozenset, tuple])
def test_a_copy_of_a_member_is_hidden(make: Any) -> None:
    tree = as_tree({"note": "use Winter-moth-418", "host": "web1"})
    secret = {"password": Leaf(make(("Winter-moth-418",)), ())}
    shown = redact(compiled_of(type(tree)({**tree.items, **secret}, ())))
    assert shown["note"].reason == "copy of a secret"
    assert shown["host"] == "web1"


def redact(compiled: Any) -> Any:
    redactor = Redactor(Rules(), SecretStore(b"key"))
    redactor.collect_secrets(compiled)
    redactor.freeze_secrets()
    return redactor.redact(compiled).data
