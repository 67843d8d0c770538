"""What the action does in a checkout: its own shell, in clones such as the runner makes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from checked_text import check_text
from conclude import judge, name_outcome
from tests.ci.pulls import (
    FLEET,
    LINK,
    Ended,
    check_out,
    of_pull,
    open_pull,
    prepare,
    run_action,
)
from tests.support.repositories import git
from tests.support.workflow_commands import Command, read_command


def comment_of(ended: Ended) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ended.out / "comment" / "comment.json").read_text())
    return data


@pytest.mark.slow
def test_values_that_change_on_failing_minions_are_a_change(tmp_path: Path) -> None:
    failing = {"pillar/top.sls": FLEET["pillar/top.sls"].replace("[all]", "[all, gone]")}
    pull = open_pull(tmp_path / "origin", fleet={**FLEET, **failing})
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    ended = run_action(checkout, tmp_path / "runner", **of_pull(pull))
    assert "3 still failing (2 changed)" in ended.summary
    assert ended.outputs["outcome"] == "changed"


def test_all_of_it_is_there_from_the_merge_of_a_shallow_checkout(tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin")
    checkout = check_out(pull, tmp_path / "work", pull.merge, "--depth=1")
    ended = run_action(checkout, tmp_path / "runner", **of_pull(pull))
    assert ended.outputs == {"outcome": "changed", "exit-code": "0", "comment": "true"}
    assert ended.code == 0
    assert "### Pillar: 1 change on 2 of 3 minions\n" in ended.summary
    assert "ntp" not in ended.summary  # somebody else's, in the branch that it is for
    assert f"[full report]({LINK})" in ended.summary
    assert comment_of(ended) == {
        "schema": "pillarbook.comment/1",
        "head": pull.head,
        "state": "compared",
        "markdown": ended.summary,
    }
    assert check_text(ended.summary, LINK)
    assert json.loads((ended.out / "diff.json").read_text())["schema"] == "pillarbook.diff/1"
    assert not (ended.out / "site").exists()
    assert git(checkout, "status", "--porcelain") == ""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("commit", "depth"),
    [
        ("head", []),
        ("head", ["--depth=1"]),
        ("merge", []),
        ("merge", ["--depth=1"]),
        ("merge", ["--depth=2"]),
    ],
    ids=["head", "head alone", "merge", "merge alone", "merge and its parents"],
)
def test_the_base_is_found_however_the_change_is_checked_out(
    tmp_path: Path, commit: str, depth: list[str]
) -> None:
    pull = open_pull(tmp_path / "origin")
    checkout = check_out(pull, tmp_path / "work", getattr(pull, commit), *depth)
    done = prepare(checkout, tmp_path / "out", **of_pull(pull))
    assert done.returncode == 0, done.stdout
    named = (tmp_path / "out" / "base").read_text().strip()
    assert named == "target/main"
    found = git(checkout, "merge-base", named, "HEAD").strip()
    assert found == (
        pull.base if commit == "head" else git(pull.origin, "rev-parse", "main").strip()
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("base", "says"),
    [
        ("--upload-pack=x", "the base is no revision"),
        ("nowhere", "check out with 'fetch-depth: 0'"),
        ("f" * 40, "check out with 'fetch-depth: 0'"),
    ],
    ids=["an option", "no branch", "no commit"],
)
def test_a_base_that_is_none(tmp_path: Path, base: str, says: str) -> None:
    pull = open_pull(tmp_path / "origin")
    checkout = check_out(pull, tmp_path / "work", pull.head)
    done = prepare(checkout, tmp_path / "out", PILLAR_BASE=base)
    assert done.returncode == 1
    assert says in done.stdout


def test_a_checkout_that_cannot_be_deepened_is_told_what_to_do(tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin")
    checkout = check_out(pull, tmp_path / "work", pull.merge, "--depth=1")
    git(checkout, "remote", "set-url", "origin", str(tmp_path / "nowhere"))
    inputs = {**of_pull(pull), "PILLAR_IS_FORK": "true"}
    ended = run_action(checkout, tmp_path / "runner", **inputs)
    assert "check out with 'fetch-depth: 0'" in ended.log
    assert (ended.outputs["outcome"], ended.code) == ("failed", 1)
    assert comment_of(ended)["state"] == "failed"


@pytest.mark.slow
def test_no_change_since_a_time_is_said_as_well(tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin", {"pillar/web.sls": "# four\nworkers: 4\n"})
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    ended = run_action(checkout, tmp_path / "runner", PILLAR_SINCE="2020-01-03T12:00:00Z")
    assert (ended.outputs["outcome"], ended.code) == ("unchanged", 0)
    assert comment_of(ended)["markdown"].startswith("### Pillar: no change on 3 minions\n")


def test_findings_are_annotations_and_the_tree_gives_no_commands(tmp_path: Path) -> None:
    forged = "{{ raise('x\\n::error::forged') }}\n::error::forged\n"
    pull = open_pull(tmp_path / "origin", {"pillar/web.sls": forged})
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    ended = run_action(checkout, tmp_path / "runner", **of_pull(pull), PILLAR_FAIL_ON="new")
    assert (ended.outputs["outcome"], ended.code) == ("broken", 2)
    (found,) = [one for one in heard(ended.log) if one.name == "error"]
    assert found.properties["file"] == "pillar/web.sls"
    assert "#### Newly failing: " in ended.summary
    assert check_text(ended.summary, LINK)


@pytest.mark.slow
def test_a_new_error_of_a_minion_that_failed_before_fails_the_job(tmp_path: Path) -> None:
    trees = FLEET | {"pillar/top.sls": "base: {'*': [missing, web]}\n"}
    files = {"pillar/top.sls": "base: {'*': [missing, web, gone]}\n"}
    pull = open_pull(tmp_path / "origin", files, trees)
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    ended = run_action(checkout, tmp_path / "runner", **of_pull(pull), PILLAR_FAIL_ON="new")
    assert (ended.outputs["outcome"], ended.code) == ("broken", 2)
    assert comment_of(ended)["state"] == "compared"


def test_states_that_newly_fail_fail_the_job(tmp_path: Path) -> None:
    trees = FLEET | {
        "conf/master": f"{FLEET['conf/master']}file_roots: {{base: [../states]}}\n",
        "states/top.sls": "base: {'*': [web]}\n",
        "states/web.sls": "web:\n  test.nop: []\n",
    }
    broken = {"states/web.sls": "web:\n  test.nop:\n    - require: [{test: nowhere}]\n"}
    pull = open_pull(tmp_path / "origin", broken, trees)
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    ended = run_action(checkout, tmp_path / "runner", **of_pull(pull), PILLAR_FAIL_ON="new")
    assert (ended.outputs["outcome"], ended.code) == ("broken", 2)
    assert "### States newly failing on 3 minions" in ended.summary
    assert check_text(ended.summary, LINK)


def heard(log: str) -> list[Command]:
    """Return the commands that the runner takes from a log, stopped parts left out."""
    found: list[Command] = []
    until = None
    for line in log.splitlines():
        if until is not None:
            until = None if line == f"::{until}::" else until
        elif line.startswith("::stop-commands::"):
            until = line.removeprefix("::stop-commands::")
        else:
            command = read_command(line)
            found += [command] if command is not None else []
    assert until is None
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"PILLAR_NAME": "a b"}, "the input 'name'"),
        ({"PILLAR_CONFIGURATION": "mine"}, "the input 'configuration'"),
        ({"PILLAR_FAIL_ON": "warnings"}, "fail-on is"),
    ],
    ids=["name", "configuration", "fail-on"],
)
def test_inputs_that_make_no_sense(tmp_path: Path, inputs: dict[str, str], says: str) -> None:
    pull = open_pull(tmp_path / "origin")
    ended = run_action(pull.origin, tmp_path / "runner", **of_pull(pull), **inputs)
    assert says in ended.log
    assert ended.code == 1


def test_without_a_base_the_tree_is_checked(tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin")
    ended = run_action(pull.origin, tmp_path / "runner", PILLAR_BASE="0" * 40)
    assert ended.outputs == {"outcome": "checked", "exit-code": "0"}


CHANGED = {"changed": 1, "unchanged": 2}
SAME = {"unchanged": 3}
BROKEN = {"newly failing": 1, "unchanged": 2}
EMPTIED = {"empty": 1, "changed": 2}
STILL = {"still failing": 1, "changed": 1}
STATES_BROKEN = {"unchanged": 3, "states newly failing": 1}
STATES_CHANGED = {"unchanged": 3, "states changed": 1, "states still failing": 1}


@pytest.mark.parametrize(
    ("fail_on", "diff", "codes", "code", "outcome"),
    [
        ("error", SAME, (0, 0, 0), 0, "unchanged"),
        ("error", CHANGED, (0, 0, 0), 0, "changed"),
        ("error", CHANGED, (0, 2, 0), 2, "changed"),
        ("error", BROKEN, (0, 2, 0), 2, "broken"),
        ("error", EMPTIED, (0, 0, 0), 2, "broken"),
        ("new-failure", STILL, (0, 2, None), 0, "changed"),
        ("new-failure", STATES_BROKEN, (0, 2, None), 2, "broken"),
        ("new-failure", STATES_CHANGED, (0, 2, None), 0, "changed"),
        ("error", {"unchanged": 3, "states still failing": 1}, (0, 0, None), 0, "unchanged"),
        ("new-failure", BROKEN, (0, 2, None), 2, "broken"),
        ("new-failure", None, (None, 2, None), 2, "checked"),
        ("none", BROKEN, (0, 2, None), 0, "broken"),
        ("none", None, (1, 0, 0), 1, "failed"),
        ("none", SAME, (0, 0, 3), 3, "failed"),
        ("error", None, (137, 0, 0), 1, "failed"),
        ("error", SAME, (0, 0, 1), 1, "failed"),
        ("error", {"still failing": 1}, (0, 0, None), 0, "unchanged"),
    ],
)
def test_what_fails_the_job(
    fail_on: str,
    diff: dict[str, int] | None,
    codes: tuple[int | None, int | None, int | None],
    code: int,
    outcome: str,
) -> None:
    assert judge(fail_on, diff, codes) == code
    assert name_outcome(diff, code) == outcome
