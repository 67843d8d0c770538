"""How often files are rendered: by what their templates ask, not by how many minions there are."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import Fleet, answer_of, open_fleet, write_fleet

from pillarbook.compile.memo import Memo
from pillarbook.compile.renderers.render_errors import LimitExceeded

FLEET = 1000
KINDS = 10
FILES = {
    "top.sls": "base:\n  '*': [all, kind, own, included]\n  'kind:1':\n    - match: grain\n"
    "    - some\n",
    "all.sls": "all: {a: 1}\n",
    "kind.sls": "kind: {{ grains['kind'] }}\nmap: {{ salt['grains.filter_by']({'default': 1}, 'kind') }}\n",
    "own.sls": "address: {{ grains.address }}\nkind_of: {{ grains.get('kind') }}\n",
    "included.sls": "include:\n  - parts.*\n  - other:\n      key: under\n      defaults: {n: 1}\n",
    "other.sls": "n: {{ n }}\nkind: {{ grains.kind }}\n",
    "parts/a.sls": "a: {{ 'kind' in grains }}\n",
    "parts/b.sls": "b: {% for role in grains.roles %}{{ role }}{% endfor %}\n",
    "some.sls": "{% import_yaml 'data.yaml' as data %}\nsome: {{ data[grains.kind] }}\n",
    "data.yaml": "1: one\n",
}


def grains_of(number: int) -> dict[str, Any]:
    kind = number % KINDS
    return {
        "kind": kind,
        "roles": ["web", f"kind{kind % 3}"],
        "address": f"10.0.{number // 250}.{number % 250}",
        "unread": {"serial": number},
    }


FLEET_GRAINS = {f"m{number}": grains_of(number) for number in range(FLEET)}


@contextmanager
def counted(folder: Path, files: Mapping[str, str]) -> Iterator[tuple[Fleet, Counter[str]]]:
    """Open a fleet that counts its renders by file."""
    count: Counter[str] = Counter()

    def watch(shown: str) -> AbstractContextManager[None]:
        count[shown.removeprefix("pillar/")] += 1
        return nullcontext()

    write_fleet(folder, files, {"m": {}})
    with open_fleet(folder, watch=watch) as fleet:
        yield fleet.of_minions(FLEET_GRAINS), count


def test_renders_follow_what_is_read(tmp_path: Path) -> None:
    with counted(tmp_path, FILES) as (fleet, count):
        compiled = fleet.compile_all()
    assert len(compiled) == FLEET
    assert count == {
        "top.sls": 1,
        "all.sls": 1,
        "kind.sls": KINDS,
        "own.sls": 1,  # what it reads it prints, and nothing else
        "included.sls": 1,
        "other.sls": 1,
        "parts/a.sls": 1,
        "parts/b.sls": 3,
        "some.sls": 1,
    }
    assert fleet.remembered.renders.misfits == 0


def test_changed_grain_that_nobody_reads_costs_nothing(tmp_path: Path) -> None:
    with counted(tmp_path, FILES) as (fleet, count):
        fleet.compile_all()
        before = Counter(count)
        changed = {
            minion: {**grains, "unread": ["other"], "more": 1}
            for minion, grains in FLEET_GRAINS.items()
        }
        again = fleet.of_minions(changed).compile_all()
        assert count == before
        assert answer_of(again["m1"])["kind"] == 1


def test_new_minion_of_a_known_kind_renders_its_own_file_only(tmp_path: Path) -> None:
    with counted(tmp_path, {**FILES, "own.sls": "a: {{ grains.address | pprint }}\n"}) as (
        fleet,
        count,
    ):
        fleet.compile_all()
        count.clear()
        fleet.of_minions({"new": {**grains_of(7), "address": "192.0.2.1"}}).compile_all()
    assert count == {"own.sls": 1}


def test_targets_are_asked_once_for_each_answer(tmp_path: Path) -> None:
    top = "base:\n  'kind:3': [{match: grain}, all]\n  'G@kind:4 or m5': [all]\n  'm*': [all]\n"
    with counted(tmp_path, {"top.sls": top, "all.sls": "a: 1\n"}) as (fleet, _):
        compiled = fleet.compile_all()
        assert fleet.remembered.matches.misses <= 3 * KINDS + 4
    assert sum(verdict.matched for one in compiled.values() for verdict in one.targets) == (
        FLEET // KINDS + FLEET // KINDS + 1 + FLEET
    )


def test_equal_results_are_one_object(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "own.sls"}
    files["top.sls"] = files["top.sls"].replace("own, ", "")
    with counted(tmp_path, files) as (fleet, _):
        compiled = fleet.compile_all()
    assert len({id(one.tree.items["under"]) for one in compiled.values()}) == KINDS


def test_template_that_writes_is_found_out_once(tmp_path: Path) -> None:
    """Which minions it writes for is known from their answers; only they are compiled plainly."""
    files = {
        "top.sls": "base:\n  '*': [writes, all]\n",
        "writes.sls": "{% if grains.kind == 1 %}{% do grains.update({'w': 1}) %}{% endif %}\n",
        "all.sls": "all: {{ grains.w is defined }}\n",
    }
    with counted(tmp_path, files) as (fleet, count):
        compiled = fleet.compile_all()
    without_recording = FLEET // KINDS
    assert answer_of(compiled["m1"]) == {"all": True}
    assert answer_of(compiled["m2"]) == {"all": False}
    assert count["writes.sls"] == KINDS + without_recording
    assert count["all.sls"] == 1 + without_recording


def test_without_memo_each_minion_renders_everything(tmp_path: Path) -> None:
    count: Counter[str] = Counter()

    def watch(shown: str) -> AbstractContextManager[None]:
        count[shown] += 1
        return nullcontext()

    files = {"top.sls": "base:\n  '*': [all]\n", "all.sls": "a: 1\n"}
    write_fleet(tmp_path, files, {"m": {}})
    with open_fleet(tmp_path, memo=False, watch=watch) as fleet:
        fleet.of_minions({f"m{number}": {} for number in range(5)}).compile_all()
    assert count == {"pillar/top.sls": 5, "pillar/all.sls": 5}


REFUSED: dict[str, Callable[[str, int], bool]] = {
    "first-minion": lambda shown, nth: shown == "pillar/all.sls" and nth == 1,
    "later-minion": lambda shown, nth: shown == "pillar/kind.sls" and nth == 2,
}


@pytest.mark.parametrize("refuses", REFUSED.values(), ids=REFUSED)
def test_refused_render_says_nothing_of_others(
    refuses: Callable[[str, int], bool], tmp_path: Path
) -> None:
    """A render that is not even begun, after a process was lost over it, is not remembered."""
    count: Counter[str] = Counter()

    @contextmanager
    def watch(shown: str) -> Iterator[None]:
        count[shown] += 1
        if refuses(shown, count[shown]):
            raise LimitExceeded("the process that rendered it had to be stopped", (shown, None))
        yield

    files = {
        "top.sls": "base:\n  '*': [all, kind]\n",
        "all.sls": "a: 1\n",
        "kind.sls": "kind: {{ grains.kind | pprint }}\n",
    }
    write_fleet(tmp_path, files, {"m": {}})
    with open_fleet(tmp_path, watch=watch) as fleet:
        compiled = fleet.of_minions({f"m{n}": grains_of(n) for n in range(KINDS)}).compile_all()
    assert Counter(one.outcome for one in compiled.values()) == {"ok": KINDS - 1, "partial": 1}


def test_what_one_minion_alone_has_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each minion prints its address, so nothing of that render is kept for the others."""
    kept: Counter[str] = Counter()
    keep = Memo.keep

    def noting(memo: Memo[Any], key: Any, *given: Any) -> None:
        kept[str(key)] += 1
        keep(memo, key, *given)

    monkeypatch.setattr(Memo, "keep", noting)
    with counted(tmp_path, FILES) as (fleet, _):
        compiled = fleet.compile_all()
    assert max(kept.values()) <= 2 * KINDS
    assert len({id(one.tree.items["address"]) for one in compiled.values()}) == FLEET
