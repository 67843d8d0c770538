"""``pillarbook inventory list`` prints a line for each declared minion."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run

MINIONS = {
    "web1": {"grains": {"os": "Debian"}, "pillarenv": "prod"},
    "db1.example.com": {"guessed": True},
}


def test_minions_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write_fleet(tmp_path, {"top.sls": "base: {}\n"}, MINIONS))
    options = ["--master", "master", "--inventory", "minions.yml"]
    assert run(["inventory", "list", *options]) == 0
    told = capsys.readouterr()
    web, db = told.out.splitlines()
    assert web.startswith("web1             minions.yml:")
    assert web.endswith(", pillarenv prod, 1 grain")
    assert db.endswith(", 0 grains, guessed")
    assert told.err == "2 minions, 1 guessed\n"
    assert run(["inventory", "list", *options, "--minion", "web*"]) == 0
    assert capsys.readouterr().out == f"{web.replace('web1           ', 'web1')}\n"
    assert run(["inventory", "list", *options, "--minion", "wob1"]) == 1
    assert "did you mean 'web1'?" in capsys.readouterr().err
