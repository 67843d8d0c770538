"""Which of very many changes of a pillar cause which changes of states, with few compiles."""

from pathlib import Path
from unittest.mock import create_autospec

import pytest
from tests.changes.impact.test_impact import diff_of, told

from pillarbook.changes.impact import state_causes
from pillarbook.changes.impact.state_causes import Budget

COUNT = 40
USERS = "users: {%s}\n"
STATES = (
    "{% for name, uid in pillar.users.items() %}\n"
    "user-{{ name }}:\n  user.present:\n    - uid: {{ uid }}\n"
    "{% endfor %}\n"
    "both:\n  test.nop:\n    - of: {{ pillar.users.u3 }}-{{ pillar.users.u17 }}\n"
    "any:\n  test.nop:\n    - of: {{ pillar.users.u5 == 5 and pillar.users.u6 == 6 }}\n"
    "most:\n  test.nop:\n"
    "    - of: {{ [pillar.users.u1 == 1, pillar.users.u8 == 8, pillar.users.u30 == 30]"
    " | select | list | length > 1 }}\n"
)


def users(add: int) -> str:
    return USERS % ", ".join(f"u{number}: {number + add}" for number in range(COUNT))


@pytest.mark.sample(1)
@pytest.mark.parametrize("many", [4, 2 * COUNT], ids=["by their numbers", "by halves"])
def test_each_state_names_its_own_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(state_causes, "MANY", many)
    before = {"states/web.sls": STATES, "pillar/web.sls": users(0)}
    diff = diff_of(tmp_path, {"pillar/web.sls": users(1000)}, files=before)
    causes = {state_id: (atoms, proven) for _, state_id, _, atoms, _, proven in told(diff)}
    assert all(causes[f"user-u{number}"] == ([f"users:u{number}"], True) for number in range(COUNT))
    # It needs both, so it is as in the base only without both.
    assert causes["both"] == (["users:u3", "users:u17"], True)
    # One of them is enough to change it, and two of the three, so nothing less is proven.
    assert len(causes["any"][0]) == len(causes["most"][0]) == 2


def test_few_compiles_find_many_causes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spend = create_autospec(Budget.spend, side_effect=Budget.spend)
    monkeypatch.setattr(Budget, "spend", spend)
    states = STATES.partition("both:")[0]
    before = {"states/web.sls": states, "pillar/web.sls": users(0)}
    diff = diff_of(tmp_path, {"pillar/web.sls": users(1000)}, files=before)
    assert len(diff.states) == COUNT
    assert all(one.cause.proven for one in diff.states)
    assert spend.call_count <= 2 * 2 * 2 * COUNT.bit_length()  # orders, digits' values, minions
