"""Which grains are secret: what minions share is looked at once, and equal is not the same."""

from typing import Any

import pytest

from pillarbook.redact import Rules
from pillarbook.redact.judged_paths import JudgedPath
from pillarbook.redact.secret_grains import NOTHING

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


class CountingRules(Rules):
    """Counts what is asked."""

    asked = 0

    def judge(self, at: JudgedPath, value: Any, mark: str | None = None) -> str | None:
        self.asked += 1
        return super().judge(at, value, mark)


def test_what_minions_share_is_looked_at_once() -> None:
    rules = CountingRules()
    shared = ["10.0.0.1", "10.0.0.2"]
    fleet = [{"os": "Debian", "cpus": 4, "ipv4": shared} for _ in range(50)]
    assert [rules.grains.find(one) for one in fleet] == [NOTHING] * 50
    assert rules.asked == 4


def test_secrets_have_their_paths() -> None:
    grains = {"os": "Debian", "db": {"users": [{"password": "hunter2-of-db"}]}, "note": TOKEN}
    assert Rules().grains.find(grains).secrets == (
        (("db", "users", 0, "password"), "hunter2-of-db"),
        (("note",), TOKEN),
    )


def test_values_that_are_equal_to_a_dict_are_looked_at_apart() -> None:
    rules = Rules(values=["^True$"])
    assert rules.grains.find({"a": 1}) is NOTHING
    assert rules.grains.find({"a": True}).secrets == ((("a",), True),)


@pytest.mark.parametrize(
    "grains",
    [
        {"name": "password", "value": "abc"},
        {"env": [{"name": "password", "value": True}]},
        {"a": "NACL[ x ]"},
        {"a": b"bytes"},
    ],
    ids=["name-beside", "name-beside-below", "nacl", "bytes"],
)
def test_what_no_rule_calls_secret_may_still_be_one(grains: dict[str, Any]) -> None:
    found = Rules().grains.find(grains)
    assert found.may_hold_more or found.secrets
