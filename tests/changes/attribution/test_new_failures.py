"""What only follows from a new failure is told with it, and not as changes."""

from pathlib import Path

import pytest
from tests.support.compared_trees import compare

from pillarbook.changes.attribution import new_failures
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path
from pillarbook.report.group_names import MinionWords
from pillarbook.report.markdown_blocks import list_lost
from pillarbook.report.minion_faults import group_by_faults
from pillarbook.report.result_wording import NEW_FAULTS
from pillarbook.report.state_wording import STILL

BASE = {
    "p/top.sls": "base:\n  '*':\n    - all\n  'web*':\n    - web\n    - more\n",
    "p/web.sls": "w: 1\nx: {y: 1}\n",
    "p/more.sls": "{% import_yaml 'map.yml' as m %}\nmore: {{ m.a }}\nold: 1\n",
    "p/map.yml": "a: 1\n",
}
FAILS = "w: {{ grains.nope }}\n"


def follow_on(diff: Diff) -> dict[str, str | None]:
    """Return for each change the failure that it follows from, by the place of that."""
    return {
        f"{atom.change.kind} {format_path(atom.change.path)}": None
        if atom.consequence_of is None
        else str(diff.diagnostics[atom.consequence_of][1].position)
        for atom in diff.atoms
    }


CASES: dict[str, tuple[dict[str, str], dict[str, str | None], dict[str, str | None]]] = {
    "all that a failing file gave": (
        {},
        {"p/web.sls": FAILS},
        {"removed w": "p/web.sls:1", "removed x": "p/web.sls:1"},
    ),
    "what would be gone without the failure as well": (
        {},
        {"p/web.sls": FAILS, "p/all.sls": "a: 1\n", "p/more.sls": "more: 1\n"},
        {
            "removed w": "p/web.sls:1",
            "removed x": "p/web.sls:1",
            "removed b": None,
            "removed old": None,
        },
    ),
    "a file that fails for another one": (
        {},
        {"p/map.yml": "b: 1\n"},
        {"removed more": "p/more.sls:2", "removed old": "p/more.sls:2"},
    ),
    "a file that fails for another one which gives values itself": (
        {
            "p/top.sls": BASE["p/top.sls"] + "    - map\n",
            "p/map.sls": "a: 1\nm: {old: 5, b: 2}\n",
            "p/more.sls": "{% import_yaml 'map.sls' as m %}\nmore: {{ m.m.old }}\n",
        },
        {"p/map.sls": "a: 1\nm: {new: 5}\n"},
        {
            "removed more": "p/more.sls:2",
            "removed m:old": None,
            "removed m:b": None,
            "added m:new": None,
        },
    ),
    "a file that failed for another reason": (
        {"p/web.sls": "{% import_yaml 'map.yml' as m %}\nw: {{ grains.nope }}\n"},
        {"p/map.yml": "a: [\n"},
        {"removed more": "p/map.yml:2", "removed old": "p/map.yml:2"},
    ),
    "a file that is removed": (
        {},
        {"p/web.sls": None},
        {"removed w": "p/top.sls:5", "removed x": "p/top.sls:5"},
    ),
    "two failures": (
        {},
        {"p/web.sls": FAILS, "p/map.yml": "b: 1\n"},
        {
            "removed w": "p/web.sls:1",
            "removed x": "p/web.sls:1",
            "removed more": "p/more.sls:2",
            "removed old": "p/more.sls:2",
        },
    ),
    "what else a target gives whose SLS does not exist": (
        {},
        {
            "p/top.sls": BASE["p/top.sls"] + "  'web1':\n    - private\n    - new\n",
            "p/new.sls": "n: 1\nw: 5\n",
        },
        {"added n": None, "changed w": None},
    ),
    "a value that comes through again": (
        {},
        {"p/all.sls": "a: 1\nb: 2\nw: 3\n", "p/web.sls": FAILS},
        {"changed w": "p/web.sls:1", "removed x": "p/web.sls:1", "added w": None},
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_what_a_change_follows_from(
    before: dict[str, str],
    after: dict[str, str | None],
    expected: dict[str, str | None],
    tmp_path: Path,
) -> None:
    diff = compare(tmp_path, BASE | before, after)
    told = follow_on(diff)
    assert {name: told[name] for name in told if not name.startswith("reordered")} == expected
    follows = [one for one in diff.atoms if one.consequence_of is not None]
    assert all(one.minions == ("web1",) for one in follows)
    assert ("web1" in diff.changed) == any(
        atom.consequence_of is None and "web1" in atom.minions for atom in diff.atoms
    )
    assert not {one.id for one in diff.shown} & {one.id for one in follows}


def test_a_change_of_some_minions_is_told_apart_from_a_consequence_for_others(
    tmp_path: Path,
) -> None:
    """The same key goes on all; on one of them only because the file fails there."""
    base = {"p/top.sls": "base: {'*': [all]}\n", "p/all.sls": "a: 1\nb: 2\n"}
    fails = "a: 1\n{% if grains.role == 'web' %}{{ grains.nope }}{% endif %}\n"
    diff = compare(tmp_path, base, {"p/all.sls": fails})
    gone = [atom for atom in diff.atoms if atom.change.path == ("b",)]
    assert [(atom.minions, atom.consequence_of is None) for atom in gone] == [
        (("web1",), False),
        (("db1",), True),
    ]
    for minion, result in diff.minions.items():
        assert all(minion in diff.atoms[number - 1].minions for number in result.atoms)
    assert [atom.id for atom in diff.atoms] == list(range(1, len(diff.atoms) + 1))


def test_a_failure_of_the_base_that_would_return_is_no_proof(tmp_path: Path) -> None:
    """The top file is mended and names an SLS that does not exist: its SLS files are news."""
    broken = {"p/top.sls": "base: {'*': [all, 'missing\n", "p/all.sls": "a: 1\n"}
    diff = compare(tmp_path, broken, {"p/top.sls": "base: {'*': [all, missing]}\n"})
    assert follow_on(diff) == {"added a": None}
    assert {result.word for result in diff.minions.values()} == {"still failing"}
    assert diff.changed == {"web1", "db1"}


def test_a_new_error_of_what_failed_before_is_news(tmp_path: Path) -> None:
    missing = BASE["p/top.sls"].replace("    - web\n", "    - web\n    - private\n")
    moved = "# moves lines\n" + BASE["p/top.sls"]
    diff = compare(tmp_path, BASE | {"p/web.sls": FAILS}, {"p/top.sls": missing})
    new, old = "p/top.sls:6: the SLS 'private' does not exist in environment 'base'", "p/web.sls:1"
    assert group_by_faults(diff, NEW_FAULTS, 2) == {(new,): ["web1"]}
    ((faults, minions),) = group_by_faults(diff, STILL, 2).items()
    assert (len(faults), faults[0].startswith(old), minions) == (1, True, ["web1"])
    same = compare(tmp_path, BASE | {"p/web.sls": FAILS}, {"p/top.sls": moved})
    assert group_by_faults(same, NEW_FAULTS, 2) == {}


def test_the_failure_of_most_minions_comes_first(tmp_path: Path) -> None:
    minions = "minions: {db1: {}, web1: {}, web2: {}}\n"
    files = {"minions.yml": minions, "p/top.sls": "base: {'db*': [db], 'web*': [web]}\n"}
    diff = compare(
        tmp_path, files | {"p/db.sls": "d: 1\n"}, {"p/db.sls": FAILS, "p/web.sls": FAILS}
    )
    found = group_by_faults(diff, "newly failing", 1)
    assert list(found.values()) == [["web1", "web2"], ["db1"]]


def test_an_old_failure_has_no_consequences(tmp_path: Path) -> None:
    diff = compare(tmp_path, BASE | {"p/web.sls": FAILS}, {"p/all.sls": "a: 1\n"})
    assert follow_on(diff) == {"removed b": None}
    assert diff.minions["web1"].word == "still failing"
    assert diff.changed == {"web1", "db1"}


def test_what_only_some_minions_lose_names_them(tmp_path: Path) -> None:
    text = "a: 1\nof: {{ grains.role }}\n{% if grains.role == 'web' %}\nw: 1\n{% endif %}\n"
    base = {"p/top.sls": "base: {'*': [all]}\n", "p/all.sls": text}
    diff = compare(tmp_path, base, {"p/all.sls": FAILS})
    words = MinionWords((name, {}) for name in diff.minions)
    assert list_lost(diff, list(diff.minions), str, words) == [
        "! both minions:",
        "- a: 1",
        '- of: "web" (one of 2 variants)',
        "! web1:",
        "- w: 1",
    ]


def test_minions_that_lose_values_of_their_own_are_of_one_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_failures, "MAX_KINDS", 1)
    minions = "".join(f"  web{number}: {{grains: {{role: web}}}}\n" for number in range(4))
    base = {"minions.yml": f"minions:\n{minions}", "p/web.sls": "w: {{ grains.id }}\n"}
    diff = compare(tmp_path, base, {"p/web.sls": FAILS})
    assert len(diff.atoms) == 4
    assert all(atom.consequence_of is not None for atom in diff.atoms)


def test_what_a_failure_hides_is_no_cause_of_it(tmp_path: Path) -> None:
    """The edit of another file that the failing one includes has no part in what is gone."""
    base = {"p/web.sls": "include: [tls]\nw: 1\n", "p/tls.sls": "tls: {timeout: 1d}\n"}
    after: dict[str, str | None] = {
        "p/web.sls": "include: [tls]\nw: {{ grains.nope }}\n",
        "p/tls.sls": "tls: {timeout: 12h}\n",
    }
    diff = compare(tmp_path, base, after)
    assert follow_on(diff) == {"removed tls": "p/web.sls:2", "removed w": "p/web.sls:2"}
    assert all([line.file for line in one.because] == ["p/web.sls"] for one in diff.atoms)
    assert all(one.proven for one in diff.atoms)
    assert [(one.line.file, one.why) for one in diff.idle] == [
        ("p/tls.sls", "its minions newly fail")
    ]


def test_a_line_with_a_new_error_has_an_effect(tmp_path: Path) -> None:
    missing = BASE["p/top.sls"].replace("    - web\n", "    - web\n    - private\n")
    diff = compare(tmp_path, BASE | {"p/web.sls": FAILS}, {"p/top.sls": missing})
    assert diff.idle == ()
