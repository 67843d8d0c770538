"""``explain --sls``: who gets an SLS, and the result of each line."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.invoked import Printed

from pillarbook.cli.main import run

FILES = {
    "top.sls": "base:\n  '*': [web]\n  'os:Debian':\n    - match: grain\n    - more\n",
    "web.sls": "include: [cdn]\nport: 80\nhost: {{ grains.os }}\n",
    "cdn.sls": (
        "zone: shop\n"
        "api_token: kiebitz-7Fx2mQ\n"
        "{% if grains.os == 'Plan 9' %}\n"
        "db_password: Sommerregen\n"
        "{% endif %}\n"
    ),
    "more.sls": "zone: other\n",
    "code.sls": "#!py\ndef run():\n    return {}\n",
}
MINIONS = {f"web{n}": {"grains": {"os": os}} for n, os in enumerate(("Debian", "Alpine", "Alpine"))}
DECLARED = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_fleet(tmp_path, FILES, MINIONS))
    return tmp_path


def test_text_says_who_gets_it_and_what_its_lines_came_to(
    printed: Printed,
) -> None:
    shown = printed(["explain", "--sls", "cdn", *DECLARED]).out
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[:2] == ["cdn: pillar/cdn.sls (base)", "all 3 minions"]
    assert "pillar/top.sls:2 * (compound, base) web -> cdn" in lines
    assert "grains: os" in lines
    source = lines[lines.index("source") + 1 :]
    assert source == [
        "1 zone: shop 2 minions; overridden by pillar/more.sls:1 on web0",
        "2 api_token: <hidden> 3 minions",
        "3 {% if grains.os == 'Plan 9' %} never true",
        "4 db_password: <hidden> never rendered",
        "5 {% endif %}",
    ]


def test_findings_in_the_file_and_what_targets_match_are_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["explain", "--sls", "cdn", *DECLARED]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[lines.index("diagnostics") + 1].startswith(
        "warning: line 2: possible plain-text secret: 'api_token'"
    )
    assert lines[2:4] == [
        "2 of 3 lines are rendered for at least one minion",
        "sets zone, api_token",
    ]
    assert run(["explain", "--sls", "pillar/top.sls", *DECLARED]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert {"2 '*': [web] all 3 minions", "3 'os:Debian': web0"} <= set(lines)


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--sls", "pillar/cdn.sls", "--format", "json", *DECLARED]) == 0
    printed = capsys.readouterr().out
    assert "kiebitz" not in printed
    assert "Sommerregen" not in printed
    (file,) = json.loads(printed)["files"]
    assert file["minions"] == ["web0", "web1", "web2"]
    assert [one["way"] for one in file["targets"]] == [["web", "cdn"]]
    assert file["sets"] == ["zone", "api_token"]
    assert file["reads"] == [{"kind": "grain", "name": "os"}]
    assert file["lines"][0]["overridden"] == [
        {"file": "pillar/more.sls", "line": 1, "minions": ["web0"]}
    ]
    assert file["lines"][1]["text"] == ["api_token: ", ""]
    assert [line["never"] for line in file["lines"]][2:4] == ["never true", "never rendered"]


def test_code_is_not_shown(printed: Printed) -> None:
    shown = printed(["explain", "--sls", "code", *DECLARED]).out
    assert "nobody" in shown
    assert "not shown: it is code" in shown
    assert "def run" not in shown


def test_an_unknown_name_is_told_with_what_is_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--sls", "cdm", *DECLARED]) == 1
    assert "the pillar has no SLS 'cdm'; did you mean 'cdn'?" in capsys.readouterr().err


def test_a_minion_beside_it_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "web0", "--sls", "cdn", *DECLARED]) != 0
    assert "give no other argument" in capsys.readouterr().err


def test_an_sls_whose_name_has_a_secret_is_found_and_shown_without_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pillar/shop-kiebitz-7Fx2mQ.sls").write_text("size: 1\n")
    (folder / "pillar/more.sls").write_text("include: [shop-kiebitz-7Fx2mQ]\n")
    for name in ("shop-kiebitz-7Fx2mQ", "pillar/shop-kiebitz-7Fx2mQ.sls"):
        assert run(["explain", "--sls", name, *DECLARED]) == 0
        told = capsys.readouterr()
        assert "size: 1" in told.out
        assert "kiebitz-7Fx2mQ" not in told.out + told.err
