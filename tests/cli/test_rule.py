"""``pillarbook rule`` explains rules, without a tree."""

from pathlib import Path

import pytest

from pillarbook.cli.main import run
from pillarbook.diagnostics.rules import RULES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_rule_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "missing-sls"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# missing-sls\n\n**Error**: an SLS that does not exist.\n")
    assert "## What to do" in out


def test_all_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(RULES)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("mising-sls", "did you mean 'missing-sls'?"),
        ("../../x", "`pillarbook rule` lists all rules"),
    ],
)
def test_a_slip_is_told(code: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", code]) == 1
    assert capsys.readouterr().err == f"pillarbook: there is no rule '{code}'; {hint}\n"
