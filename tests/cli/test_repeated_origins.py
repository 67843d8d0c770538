"""An ``init.sls`` that includes ``.`` is shown so that a person can read it."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.invoked import Printed

from pillarbook.redact.redacted_pillar import RedactedOrigin
from pillarbook.report.rows import list_overridden


def test_explain_says_once_what_overrides_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    files = {
        "top.sls": "base: {'*': [web]}\n",
        "web/init.sls": "include: [.]\nport: 80\nl: [1, 2]\n",
    }
    monkeypatch.chdir(write_fleet(tmp_path, files, {"a": {}}))
    told = printed(["explain", "--master", "master", "--inventory", "minions.yml", "a"]).out
    assert told.count("overrides 80 ") == 1
    assert told.count("(199 times)") >= 3
    assert len(told.splitlines()) < 30
    assert "'web...' failed" in told
    assert max(map(len, told.splitlines())) < 120


def test_explain_says_an_error_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    files = {
        "top.sls": "base: {'*': [web, none]}\n",
        "web.sls": "include: base\n",
    }
    monkeypatch.chdir(write_fleet(tmp_path, files, {"a": {}}))
    told = printed(["explain", "--master", "master", "--inventory", "minions.yml", "a"]).out
    assert told.splitlines()[1:4] == [
        "  why: pillar/web.sls:1: include Declaration in SLS 'web' is not formed as a list",
        "  why: pillar/top.sls:1: the SLS 'none' does not exist in environment 'base'",
        "",
    ]


def origin(line: int, value: object) -> RedactedOrigin:
    return RedactedOrigin(file="a.sls", line=line, sls="a", saltenv="base", value=value)


def test_a_page_says_once_what_overrides_itself() -> None:
    first, again, other, number = origin(1, 1), origin(1, 1), origin(2, 1), origin(2, 1.0)
    last = origin(3, 2)
    assert list_overridden((first, last)) == (first,)
    assert list_overridden((first, again, other, number, first, last)) == [
        *(first, other, number, first)
    ]


def test_one_fault_of_docs_dir_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {}\n"}, {})
    section = "plugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\ndocs_dir: .\n{section}")
    monkeypatch.chdir(tmp_path)
    (line,) = printed(["build"], 1).err.splitlines()
    assert "mkdocs.yml:2: docs_dir: The 'docs_dir' should not be the parent" in line
