"""``pillarbook rule`` explains rules, without a tree."""

from pathlib import Path

import pytest
from tests.support.invoked import Printed

from pillarbook.diagnostics.rules import RULES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_rule_is_explained(printed: Printed) -> None:
    out = printed(["rule", "missing-sls"]).out
    assert out.startswith("# missing-sls\n\n**Error**: an SLS that does not exist.\n")
    assert "## What to do" in out


def test_all_rules_are_listed(printed: Printed) -> None:
    assert [line.split()[0] for line in printed(["rule"]).out.splitlines()] == list(RULES)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("mising-sls", "did you mean 'missing-sls'?"),
        ("../../x", "`pillarbook rule` lists all rules"),
    ],
)
def test_a_slip_is_told(code: str, hint: str, printed: Printed) -> None:
    assert printed(["rule", code], 1).err == f"pillarbook: there is no rule '{code}'; {hint}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check", "--rule", "missing-gran"], "there is no rule 'missing-gran'; did you mean"),
        (["diff", "--fail-on", "newfailure"], "did you mean 'new-failure'?"),
        (["diff", "--fail-on", "zzz"], "other words are none, new-failure, failure, change, "),
    ],
)
def test_an_option_names_a_rule_that_is_similar(
    words: list[str], told: str, printed: Printed
) -> None:
    err = printed(words, 1).err
    assert told in err
    assert "yaml-error" not in err
