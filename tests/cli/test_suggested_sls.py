"""The remedy for the name of an SLS that does not exist."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed

ADD = "add the file, or remove it from the include"
FILES = {
    "base/web_server.sls": "a: 1\n",
    "base/users/init.sls": "b: 1\n",
    "base/monitoring/alerts.sls": "g: 1\n",
    "base/other.yaml": "c: 1\n",
    "base/data/loose": "d: 1\n",
    "base/php8.2.sls": "f: 1\n",
    "dev/top.sls": "{}\n",
    "dev/only.sls": "e: 1\n",
}
CASES = {
    "web_sever": "did you mean 'web_server'?",
    "Web_server": "did you mean 'web_server'?",
    "monitoring.alert": "did you mean 'monitoring.alerts'?",
    "montoring.alerts": "did you mean 'monitoring.alerts'?",
    "monitoring.contacts": ADD,
    "users.sls": "write 'users': the name of an SLS has no `.sls`",
    "other": "rename `other.yaml` to `other.sls`: the file of an SLS ends with `.sls`",
    "data.loose": "rename `data/loose` to `data/loose.sls`: the file of an SLS ends with `.sls`",
    "php8.2": "rename its file or folder without a dot, which Salt takes for a folder",
    "only": "it exists in environment 'dev'",
    "nothing.like": ADD,
}
ROOTS = {"base": ["pillar/base"], "dev": ["pillar/dev"]}
DECLARED = ("--master", "master", "--inventory", "minions.yml")


def lay(folder: Path, name: str) -> None:
    files = {**FILES, "base/top.sls": "base: {'*': [one]}\n", "base/one.sls": f"include: [{name}]"}
    write_fleet(
        folder, files, {"a": {}}, {"pillar_roots": ROOTS, "file_roots": {"base": ["states"]}}
    )
    write_files(
        folder / "states", {"top.sls": "base: {'*': [web_sever]}\n", "web_server.sls": "{}\n"}
    )


@pytest.mark.parametrize("name", CASES)
def test_the_remedy_says_which_sls_may_be_meant(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    lay(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    told = printed(["check", "--rule", "missing-sls", *DECLARED], 2).out
    assert f"    {CASES[name]}\n" in told
    assert "the state SLS 'web_sever' does not exist" in told
