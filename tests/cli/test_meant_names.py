"""A misspelt environment or grain is answered with the name that may be meant."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.invoked import Printed

TREE = {
    "master": "pillar_roots: {base: [pillar], prod: [prod]}\n"
    "file_roots: {base: [states], prod: [states]}\n",
    "minions.yml": "minions: {a: {grains: {os: Debian}}}\n",
    "pillar/top.sls": "base: {'*': [x]}\n",
    "pillar/x.sls": "x: 1\n",
    "states/top.sls": "base: {'*': [s]}\n",
    "states/s.sls": "t: {test.nop: []}\n",
}
DECLARED = ("--master", "master", "--inventory", "minions.yml")
CASES = {
    ("pillar/top.sls", "prd: {'*': [x]}\n"): "did you mean 'prod'? If not, add the environment to"
    " `pillar_roots`",
    ("pillar/top.sls", "staging: {'*': [x]}\n"): "add the environment to `pillar_roots`",
    ("pillar/top.sls", "2024: {'*': [x]}\n"): "quote its name as text, or add the environment to"
    " `pillar_roots`",
    ("states/top.sls", "prd: {'*': [s]}\n"): "did you mean 'prod'? If not, add the environment to"
    " `file_roots`",
    ("states/s.sls", "include: [prd: x]\n"): "did you mean 'prod'? If not, add the environment to"
    " `file_roots`",
    ("pillar/x.sls", "x: {{ grains.os_famly }}\n"): "did you mean 'os_family'? If not, declare the"
    " grain 'os_famly' in the inventory",
    ("pillar/x.sls", "x: {{ grains['os_family'] }}\n"): "declare the grain 'os_family' in the"
    " inventory",
    ("pillar/x.sls", "x: {{ grains.team }}\n"): "declare the grain 'team' in the inventory",
}


@pytest.mark.parametrize("mistake", CASES, ids="".join)
def test_the_remedy_names_what_may_be_meant(
    mistake: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    file, text = mistake
    write_files(tmp_path, {**TREE, file: text})
    monkeypatch.chdir(tmp_path)
    rules = ("--rule", "unknown-environment", "--rule", "missing-grain")
    assert f"    {CASES[mistake]}\n" in printed(["check", *rules, *DECLARED], 2).out
