"""What the YAML of CI says: who may do what, and that its parts fit together."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.ci.places import ACTIONS, CI, ROOT, SHELL, TEMPLATE, WORKFLOWS, load, run_of
from tests.ci.pulls import FLEET, bash, inherited
from tests.docs.pages import GUIDE, read_blocks, read_codes, read_first_cells, read_sections
from tests.docs.session import environment
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

YAML = [*WORKFLOWS.values(), *ACTIONS.values(), TEMPLATE]
KNOWN_ACTION = re.compile(r"actions/(checkout|setup-python|upload-artifact)@[0-9a-f]{40}")
OWN_COMMIT = "0" * 40
"""The commit of a user's copy of pillarbook, to fill in."""
OWN_ACTIONS = {f"your-org/pillarbook/ci/github{path}@{OWN_COMMIT}" for path in ("", "/post")}
VARIABLE = re.compile(r"\$\{?(PILLAR_[A-Z_]+)")


def values_of(data: Any, key: str) -> Iterator[Any]:
    """Yield what stands under a key, at any depth."""
    if isinstance(data, list):
        for one in data:
            yield from values_of(one, key)
    elif isinstance(data, dict):
        for name, one in data.items():
            if name == key:
                yield one
            yield from values_of(one, key)


@pytest.mark.parametrize("file", YAML, ids=lambda file: file.name)
def test_expressions_reach_shell_by_variables_alone(file: Path) -> None:
    for shell in values_of(load(file), "run"):
        assert "${{" not in shell


@pytest.mark.parametrize("file", YAML, ids=lambda file: file.name)
def test_actions_of_others_are_few_and_pinned(file: Path) -> None:
    others = set(values_of(load(file), "uses")) - OWN_ACTIONS
    assert [one for one in others if not KNOWN_ACTION.fullmatch(one)] == []


def test_a_pinned_action_has_one_commit_everywhere() -> None:
    texts = [path.read_text() for path in [*YAML, *GUIDE.glob("*.md")]]
    found = {line for text in texts for line in re.findall(r"uses: (\S+/\S+@.*)", text)}
    pinned = {line for line in found if not line.startswith("your-org/")}
    assert all(re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line) for line in pinned)
    assert len({line.partition("@")[0] for line in pinned}) == len(pinned)


def test_jobs_install_the_locked_versions() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    named = {f"{one['name']}=={one['version']}" for one in locked if one["name"] != "pillarbook"}
    lines = (CI / "constraints.txt").read_text().splitlines()[1:]
    assert {line.partition(" ;")[0] for line in lines} == named
    assert (CI / "install.sh").read_text().count("ci/constraints.txt") == 3


def test_gitlab_clones_a_branch_a_tag_or_a_commit(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    git(source, "init", "--quiet", "--initial-branch", "main")
    commit_all(write_files(source, {"file": "first"}))
    git(source, "tag", "v1")
    first = git(source, "rev-parse", "HEAD").strip()
    commit_all(write_files(source, {"file": "second"}))
    script = "\n".join(load(TEMPLATE)[".pillarbook"]["before_script"])
    for ref, content in (("main", "second"), ("v1", "first"), (first, "first")):
        given = {**inherited(), "PILLAR_SOURCE": f"file://{source}", "PILLAR_REF": ref}
        shown = "set -e\n" + script + '\ncat "$PILLAR_HOME/pillarbook/file"'
        assert bash(shown, tmp_path, given).stdout == content


def test_nothing_runs_with_rights_on_a_strangers_tree() -> None:
    for file in CI.rglob("*.yml"):
        assert "pull_request_target" not in file.read_text()
    compare = load(WORKFLOWS["pillar.yml"])
    assert compare[True] == {"pull_request": None, "merge_group": None}
    assert compare["permissions"] == {"contents": "read"}
    assert "secrets" not in WORKFLOWS["pillar.yml"].read_text()
    assert [one.get("persist-credentials") for one in values_of(compare, "with")] == [False]
    assert "secrets" not in ACTIONS["run"].read_text()
    assert "github.token" not in ACTIONS["run"].read_text()


def test_a_merge_group_is_compared_with_its_base() -> None:
    given = next(one["env"] for one in load(ACTIONS["run"])["runs"]["steps"] if one.get("id"))
    assert "|| github.event.merge_group.base_sha }}" in given["PILLAR_BASE"]
    # A run without a number must not cancel that of another group.
    assert "|| github.ref }}" in load(WORKFLOWS["pillar.yml"])["concurrency"]["group"]


def test_what_has_rights_checks_nothing_out() -> None:
    comment = load(WORKFLOWS["pillar-comment.yml"])
    names = [load(WORKFLOWS["pillar.yml"])["name"]]
    assert comment[True] == {"workflow_run": {"workflows": names, "types": ["completed"]}}
    assert comment["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert list(values_of(comment, "uses")) == [f"your-org/pillarbook/ci/github/post@{OWN_COMMIT}"]
    assert list(values_of(load(ACTIONS["post"]), "uses")) == []
    note = load(TEMPLATE)["pillar note"]
    assert note["variables"] == {"GIT_STRATEGY": "none"}


@pytest.mark.parametrize("file", SHELL, ids=lambda file: file.name)
def test_shell_stops_at_the_first_fault(file: Path) -> None:
    text = file.read_text()
    assert text.startswith("#!/usr/bin/env bash\n# ")
    assert "\nset -euo pipefail\n" in text
    assert file.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(file)], check=True)


def test_the_action_gives_its_script_what_that_reads() -> None:
    scripts = [CI / "github" / "run.sh", *(CI / "steps").glob("*.sh")]
    read = {name for file in scripts for name in VARIABLE.findall(file.read_text())}
    given = {name for env in values_of(load(ACTIONS["run"]), "env") for name in env}
    assert read - given == {"PILLAR_FORMS", "PILLAR_LINK"}
    assert given - read == {"PILLAR_EXTRAS", "EXIT_CODE"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_guide_shows_the_workflows_that_there_are(name: str) -> None:
    pages = sorted(GUIDE.glob("*.md"))
    shown = [block.text for page in pages for block in read_blocks(page)]
    assert WORKFLOWS[name].read_text() in shown


@pytest.mark.parametrize(
    ("file", "part", "page", "section"),
    [
        (ACTIONS["run"], "inputs", "github.md", "Inputs"),
        (ACTIONS["run"], "outputs", "github.md", "Outputs"),
        (ACTIONS["post"], "inputs", "github.md", "The action that posts"),
        (TEMPLATE, "variables", "gitlab.md", "Variables"),
    ],
    ids=["inputs", "outputs", "inputs of the post", "variables"],
)
def test_the_guide_names_all_that_can_be_set(
    file: Path, part: str, page: str, section: str
) -> None:
    cells = read_first_cells(read_sections(GUIDE / page)[section])
    named = {code for cell in cells for code in read_codes(cell)}
    own = {"PILLAR_NOTE_TOKEN"} if file == TEMPLATE else set()
    assert named - own == set(load(file)[part])


def test_the_guide_names_the_defaults() -> None:
    rows = read_sections(GUIDE / "github.md")["Inputs"].splitlines()
    for name, one in load(ACTIONS["run"])["inputs"].items():
        (row,) = [row for row in rows if row.startswith(f"| `{name}` ")]
        assert f"| `{one['default']}` |" in row or (not one["default"] and "|  |" in row)


HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_hooks_run_as_they_are_declared(hook: dict[str, Any], tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    commit_all(write_files(tmp_path, FLEET))
    assert hook["pass_filenames"] is False
    given = {**inherited(), "PATH": environment(tmp_path)["PATH"]}
    assert bash(hook["entry"], tmp_path, given).returncode == 0
    write_files(tmp_path, {"pillar/web.sls": "workers: {{ 1 / 0 }}\n"})
    assert bash(hook["entry"], tmp_path, given).returncode == 2


def test_the_guide_names_the_hooks() -> None:
    cells = read_first_cells(read_sections(GUIDE / "pre-commit.md")["The hooks"])
    named = {code for cell in cells for code in read_codes(cell)}
    assert named == set(HOOKS)


def test_steps_that_end_badly_are_kept_first() -> None:
    assert run_of(ACTIONS["run"], "End as the findings say") == 'exit "${EXIT_CODE:-1}"'
