"""Faults that differ in names only are told as one."""

from pillarbook.compare.diff import Diff
from pillarbook.report.minion_faults import Faults, fold_alike


def told(*faults: Faults) -> dict[Faults, list[str]]:
    minions = [f"m{number}" for number in range(len(faults))]
    found: dict[Faults, list[str]] = {}
    for minion, one in zip(minions, faults, strict=True):
        found.setdefault(one, []).append(minion)
    return fold_alike(found, Diff("a", "b", dict.fromkeys(reversed(minions)), (), ()))  # type: ignore[arg-type]


def missing(sls: str, line: int = 5) -> str:
    return f"top.sls:{line}: the SLS '{sls}' does not exist in environment 'base'"


def test_three_alike_are_one() -> None:
    found = told(
        (missing("id.a.x"),), (missing("id.b.x"),), (missing("id.c.x"),), (missing("d", 6),)
    )
    assert found == {
        (f"{missing('id.….x')}, such as 'id.a.x'",): ["m2", "m1", "m0"],
        (missing("d", 6),): ["m3"],
    }


def test_two_stay_as_they_are() -> None:
    assert told((missing("a"),), (missing("b"),)) == {
        (missing("a"),): ["m0"],
        (missing("b"),): ["m1"],
    }


def test_another_fault_beside_it_is_another_kind() -> None:
    more = "a.sls:1: it does not render"
    names = "abcd"
    found = told(*((missing(name),) for name in names[:3]), (missing("d"), more))
    assert [len(minions) for minions in found.values()] == [3, 1]


def test_equal_faults_are_not_folded() -> None:
    assert told(*[(missing("a"),)] * 4) == {(missing("a"),): ["m0", "m1", "m2", "m3"]}
