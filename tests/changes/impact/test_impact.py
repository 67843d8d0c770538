"""What a change does to the states: which, for whom, and because of what."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.compare.alarms import is_alarm
from pillarbook.compare.diff import Diff
from pillarbook.report.state_wording import StateWords
from pillarbook.session import RunOptions

PILLAR = {
    "top.sls": "base: {'*': [app], 'web*': [web]}",
    "app.sls": "app: {user: shop, mode: 1, names: [x, y]}\nother: 1\n",
    "web.sls": "web: {workers: 4, port: 80}\n",
}
STATES = {
    "states/top.sls": "base:\n  '*': [app]\n  'web*': [web]\n",
    "states/app.sls": "shop:\n  user.present:\n    - name: {{ pillar.app.user }}\n"
    "{% for one in pillar.app.names %}\n{{ one }}:\n  pkg.installed: []\n{% endfor %}\n",
    "states/web.sls": "nginx:\n  file.managed:\n    - name: /etc/nginx\n"
    "    - context: {workers: {{ pillar.web.workers }}, both: {{ pillar.web.workers }}-"
    "{{ pillar.web.port }}}\n",
}
MINIONS: Mapping[str, object] = {"web1": {}, "web2": {}, "db1": {}}
OPTIONS = RunOptions(checks=False, environments=False)


def diff_of(
    folder: Path,
    changes: Mapping[str, str | None],
    *,
    files: Mapping[str, str] = {},
    options: RunOptions = OPTIONS,
    minions: Mapping[str, object] = MINIONS,
    master: Mapping[str, Any] | None = None,
) -> Diff:
    """Commit a fleet, change some files, and compare; None removes a file."""
    start(folder)
    given = {"file_roots": {"base": ["states"]}, **(master or {})}
    write_fleet(folder, PILLAR, minions, given)
    commit_all(write_files(folder, {**STATES, **files}))
    for path, text in changes.items():
        if text is None:
            (folder / path).unlink()
        else:
            write_files(folder, {path: text})
    with open_both(folder, options=options) as sides:
        return compare_sides(sides)


def told(diff: Diff) -> list[tuple[Any, ...]]:
    """Return of each change its kind, its ID, its minions, and what it is because of."""
    paths = {atom.id: ":".join(map(str, atom.change.path)) for atom in diff.atoms}
    return [
        (
            one.change.kind,
            one.change.state.state_id,
            list(one.minions),
            [paths[atom] for atom in one.cause.atoms],
            list(one.cause.files),
            one.cause.proven,
        )
        for one in diff.states
    ]


def app(text: str) -> dict[str, str | None]:
    return {"pillar/app.sls": text}


ALL, WEB = ["web1", "web2", "db1"], ["web1", "web2"]
CASES: dict[str, tuple[dict[str, str | None], list[tuple[Any, ...]]]] = {
    "one-atom": (
        {"pillar/web.sls": "web: {workers: 8, port: 80}\n"},
        [("changed", "nginx", WEB, ["web:workers"], [], True)],
    ),
    "two-atoms-in-one-state": (
        {"pillar/web.sls": "web: {workers: 8, port: 81}\n"},
        [("changed", "nginx", WEB, ["web:workers", "web:port"], [], True)],
    ),
    "an-atom-that-no-state-reads": (
        app("app: {user: shop, mode: 2, names: [x, y]}\nother: 2\n"),
        [],
    ),
    "one-of-three-atoms": (
        app("app: {user: root, mode: 2, names: [x, y]}\nother: 2\n"),
        [("changed", "shop", ALL, ["app:user"], [], True)],
    ),
    "a-state-comes-and-shifts-others": (
        app("app: {user: shop, mode: 1, names: [z, x, y]}\nother: 1\n"),
        [
            ("added", "z", ALL, ["app:names:0"], [], True),
            ("moved", "x", ALL, ["app:names:0"], [], True),
            ("moved", "y", ALL, ["app:names:0"], [], True),
            ("moved", "nginx", WEB, ["app:names:0"], [], True),
        ],
    ),
    "a-file-of-states-alone": (
        {"states/web.sls": STATES["states/web.sls"].replace("/etc/nginx", "/etc/nginx.conf")},
        [("changed", "nginx", WEB, [], ["states/web.sls"], True)],
    ),
    "a-comment-in-a-file-of-states": (
        {"states/web.sls": STATES["states/web.sls"].replace("nginx:\n", "nginx: # it\n")},
        [],
    ),
    "a-file-and-an-atom": (
        {
            "states/web.sls": STATES["states/web.sls"].replace("/etc/nginx", "/etc/nginx.conf"),
            "pillar/app.sls": "app: {user: root, mode: 1, names: [x, y]}\nother: 1\n",
        },
        [
            ("changed", "shop", ALL, ["app:user"], [], True),
            ("changed", "nginx", WEB, [], ["states/web.sls"], True),
        ],
    ),
    "a-file-less-and-the-atom-that-it-read": (
        {
            "pillar/web.sls": "web: {port: 80}\n",
            "states/web.sls": "{}\n",
        },
        [("removed", "nginx", WEB, [], ["states/web.sls"], True)],
    ),
    "an-sls-less-and-another-file": (
        {
            "states/web.sls": None,
            "states/top.sls": "base:\n  '*': [app]\n",
            "states/app.sls": STATES["states/app.sls"] + "new:\n  pkg.installed: []\n",
        },
        [
            ("added", "new", ALL, [], ["states/app.sls"], True),
            ("removed", "nginx", WEB, [], ["states/top.sls", "states/web.sls"], True),
        ],
    ),
    "a-renamed-sls": (
        {
            "states/web.sls": None,
            "states/nginx.sls": STATES["states/web.sls"],
            "states/top.sls": "base:\n  '*': [app]\n  'web*': [nginx]\n",
        },
        [
            (
                "changed",
                "nginx",
                WEB,
                [],
                ["states/top.sls", "states/web.sls", "states/nginx.sls"],
                True,
            )
        ],
    ),
}


@pytest.mark.parametrize(("changes", "expected"), CASES.values(), ids=CASES)
def test_changes_of_states(
    changes: dict[str, str | None], expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert told(diff_of(tmp_path, changes)) == expected


EITHER = {
    "states/app.sls": "a:\n  test.nop:\n    - on: {{ pillar.other == 2 or pillar.app.mode == 2 }}\n"
}
BOTH = {"states/app.sls": EITHER["states/app.sls"].replace(" or ", " and ")}


@pytest.mark.parametrize("files", [EITHER, BOTH], ids=["either-does", "only-both-do"])
def test_what_needs_two_atoms_names_both(files: dict[str, str], tmp_path: Path) -> None:
    changes = app("app: {user: shop, mode: 2, names: [x, y]}\nother: 2\n")
    found = told(diff_of(tmp_path, changes, files=files))
    assert [(one[0], sorted(one[3]), one[5]) for one in found] == [
        ("changed", ["app:mode", "other"], True)
    ]


def test_minions_where_only_states_change_are_listed_apart(tmp_path: Path) -> None:
    diff = diff_of(tmp_path, CASES["a-file-of-states-alone"][0])
    assert {name: result.word for name, result in diff.minions.items()} == dict.fromkeys(
        ALL, "unchanged"
    )
    assert diff.only_states == ("web1", "web2")
    assert is_alarm(diff, "change") or is_alarm(diff, "new-failure")


def test_states_that_newly_fail_are_an_alarm(tmp_path: Path) -> None:
    broken = {"states/web.sls": "nginx:\n  file.managed:\n    - require: [{pkg: nowhere}]\n"}
    diff = diff_of(tmp_path, broken)
    assert diff.state_results["web1"].word == "newly failing"
    assert diff.state_results["web1"].faults[0].startswith("states/web.sls:3: ")
    assert diff.states == ()
    assert is_alarm(diff, "change") or is_alarm(diff, "new-failure")
    assert ("head", "missing-state") in [(side, one.code) for side, one in diff.diagnostics]


def test_states_that_are_mended(tmp_path: Path) -> None:
    broken = {"states/web.sls": "nginx:\n  file.managed:\n    - require: [{pkg: nowhere}]\n"}
    diff = diff_of(tmp_path, {"states/web.sls": STATES["states/web.sls"]}, files=broken)
    assert diff.state_results["web1"].word == "fixed"


def test_a_minion_that_is_new_and_one_that_is_gone(tmp_path: Path) -> None:
    diff = diff_of(tmp_path, {"minions.yml": "minions: {web1: {}, db1: {}, web9: {}}\n"})
    assert {name: result.word for name, result in diff.state_results.items()} == {"web9": "new"}
    assert diff.states == ()


def test_a_tree_without_states_compiles_none(tmp_path: Path) -> None:
    diff = diff_of(
        tmp_path,
        {"pillar/web.sls": "web: {workers: 8, port: 80}\n"},
        master={"file_roots": {"base": ["nothing"]}},
    )
    assert diff.state_results == {}


def test_a_change_of_the_inventory_alone(tmp_path: Path) -> None:
    files = {"states/app.sls": "a:\n  test.nop:\n    - site: {{ grains.get('site', 'nowhere') }}\n"}
    minions = "minions: {web1: {grains: {site: ams}}, web2: {}, db1: {}}\n"
    diff = diff_of(tmp_path, {"minions.yml": minions}, files=files)
    assert told(diff) == [("changed", "a", ["web1"], [], ["minions.yml"], True)]


def test_secrets_in_arguments_are_redacted_on_both_sides(tmp_path: Path) -> None:
    files = {
        "pillar/app.sls": "app: {password: s3kR1t-Hunter2}\n",
        "states/app.sls": "a:\n  file.managed:\n    - contents: pw={{ pillar.app.password }}\n",
    }
    diff = diff_of(tmp_path, {"pillar/app.sls": "app: {password: an0ther-Hunter3}\n"}, files=files)
    assert [one[:2] for one in told(diff)] == [("changed", "a")]
    assert "Hunter" not in repr(diff)
    assert told(diff)[0][3] == ["app:password"]


def test_revealed_arguments_are_clear(tmp_path: Path) -> None:
    files = {
        "pillar/app.sls": "app: {password: s3kR1t-Hunter2}\n",
        "states/app.sls": "a:\n  file.managed:\n    - contents: pw={{ pillar.app.password }}\n",
    }
    revealed = RunOptions(checks=False, environments=False, reveal=True)
    changes = {"pillar/app.sls": "app: {password: an0ther-Hunter3}\n"}
    diff = diff_of(tmp_path, changes, files=files, options=revealed)
    (argument,) = diff.states[0].change.arguments
    assert (argument.before, argument.after) == ("pw=s3kR1t-Hunter2", "pw=an0ther-Hunter3")


def test_errors_of_states_that_were_there_do_not_follow_from_new_ones(tmp_path: Path) -> None:
    broken = {"pillar/web.sls": "web: {workers: 4, port: 80}\n  x: 1\n"}
    change: dict[str, str | None] = {"pillar/app.sls": "app: {user: shop, names: [x]}\n  x: 1\n"}
    diff = diff_of(tmp_path, change, files=broken)
    words = StateWords(diff)
    assert diff.minions["web1"].new_faults
    assert words.describe_follow_on(["web1", "web2"]) == "1 follow-on error in their states"
    assert words.describe_follow_on(["db1"]) == "1 follow-on error in its states"
