"""Between environments it is the pillar that is forced; states follow where ``saltenv`` does."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.cli.main import run

TREE = {
    "master": "pillar_roots: {base: [pillar], dev: [dev]}\n"
    "file_roots: {base: [states], dev: [other]}\n",
    "minions.yml": "minions: {one: {saltenv: base}}\n",
    "pillar/top.sls": "base: {'*': [s]}\n",
    "pillar/s.sls": "port: 80\n",
    "dev/top.sls": "dev: {'*': [s]}\n",
    "dev/s.sls": "port: 80\n",
    "states/top.sls": "base: {'*': [s]}\n",
    "states/s.sls": "a:\n  test.nop:\n    - port: {{ pillar.port }}\n",
    "other/top.sls": "dev: {'*': [s]}\n",
    "other/s.sls": "b: test.nop\n",
}
CONFIG = (
    "site_name: x\nplugins:\n  - pillarbook:\n      master: master\n      inventory: minions.yml\n"
)
NAMED = f"{CONFIG}      environments: [base, dev: {{file_roots: {{base: [states2]}}}}]\n"
CASES: dict[str, tuple[dict[str, str], list[str]]] = {
    "states-stay": ({}, []),
    "pillar-that-states-read": ({"dev/s.sls": "port: 81\n"}, ["1 state (a) with other arguments"]),
    "saltenv-follows": (
        {"master": TREE["master"] + "pillarenv_from_saltenv: true\n"},
        ["1 state (b) only in dev, 1 state (a) only in base"],
    ),
    "roots-of-a-named-set": (
        {
            "mkdocs.yml": NAMED,
            "states2/top.sls": "base: {'*': [s]}\n",
            "states2/s.sls": "c: test.nop\n",
        },
        ["1 state (c) only in dev, 1 state (a) only in base"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_states_between_environments(
    files: dict[str, str],
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[Any],
) -> None:
    monkeypatch.chdir(write_files(tmp_path, {**TREE, "mkdocs.yml": CONFIG, **files}))
    code = run(["diff", "--exit-code", "--environments", "base", "dev"])
    printed = capsys.readouterr().out
    told = [line.strip() for line in printed.splitlines() if line.startswith("  ")]
    assert code == (2 if expected else 0)
    assert [line for line in told if " state" in line] == expected
