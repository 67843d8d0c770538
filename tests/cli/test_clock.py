"""The current time is a declared one, the same for all that is compiled; without one it is said."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

DECLARED = "clock: 2026-01-31T12:00:00"
FOOTER = "footer: made {{ 'now' | strftime('%Y-%m-%d %H:%M') }}\n"
TREE = {
    "mkdocs.yml": "site_name: x\nplugins:\n  - pillarbook:\n"
    "      master: master\n      inventory: minions.yml\n      revisions: {base: HEAD}\n"
    "      unanswered: error\n",
    "docs/index.md": "# x\n",
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
    "minions.yml": "minions: {a: {grains: {n: 1}}, b: {grains: {n: 2}}}\n",
    "pillar/top.sls": "base: {'*': [main, other]}\n",
    "pillar/main.sls": FOOTER,
    "pillar/other.sls": "n: {{ grains.n }}\n",
}
CAUSE = "pillar/main.sls:1: SLS 'main' reads the clock, and no time is declared"


@pytest.fixture(autouse=True)
def far_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test depends on the machine: its zone is far from UTC, and it declares no time."""
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def lay(folder: Path, **more: str) -> Path:
    """Write the tree, some files of it otherwise, and commit it."""
    files = {name.replace("__", "/"): text for name, text in more.items()}
    write_files(folder, {**TREE, **files})
    git(folder, "init", "-q")
    commit_all(folder)
    return folder


def declare(folder: Path, option: str) -> None:
    """Add an option to the configuration."""
    file = folder / "mkdocs.yml"
    file.write_text(file.read_text() + f"      {option}\n")


def call(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Return what a command prints; its standard error stands behind it."""
    capsys.readouterr()
    assert run(list(words)) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


def pillars(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert run(["compile", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_strongest_declaration_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert pillars(capsys)["a"]["footer"] == "made 1970-01-02 00:00"
    declare(folder, DECLARED)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "not looked at")
    assert pillars(capsys)["a"]["footer"] == "made 2026-01-31 12:00"
    given = ("--clock", "2020-02-29T01:00:00+02:00")
    assert pillars(capsys, *given)["a"]["footer"] == "made 2020-02-28 23:00"
    assert pillars(capsys, *given, "--no-memo") == pillars(capsys, *given)


@pytest.mark.parametrize("words", [["compile", "--clock", "soon"], ["build", "--clock", "1"]])
def test_a_broken_time_is_refused(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    assert "give a time such as 2026-01-31T12:00:00" in call(capsys, *words, code=1)


def test_a_broken_option_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(folder)
    declare(folder, "clock: 5")
    assert "mkdocs.yml:8: 'clock' is a number (it must be a time such as" in call(
        capsys, "compile", code=1
    )


COMMANDS = {
    "compile": (["compile"], 0),
    "check": (["check"], 2),
    "explain": (["explain", "a"], 0),
    "explain a key": (["explain", "a", "footer"], 1),
    "get": (["get", "footer"], 1),
    "explain as JSON": (["explain", "a", "--format", "json"], 0),
    "diff": (["diff", "HEAD", "HEAD"], 0),
    "diff as Markdown": (["diff", "HEAD", "HEAD", "--format", "markdown"], 0),
    "build": (["build"], 0),
    "verify": (["verify", "dump.json"], 2),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("words", "code"), COMMANDS.values(), ids=COMMANDS)
def test_each_command_names_what_fails_without_a_clock(
    words: list[str], code: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    Path("dump.json").write_text(json.dumps({"a": {"footer": "made 2026-11-22 17:30", "n": 1}}))
    said = call(capsys, *words, code=code)
    assert "SLS 'main' reads the clock, and no time is declared" in said
    assert "pillar/main.sls:1" in said


WAYS = {
    "a filter": ({"pillar__main.sls": FOOTER}, "made 2026-01-31 12:00"),
    "nothing": (
        {"pillar__main.sls": "footer: '{{ None | date_format(\"%d.%m.%Y %H:%M\") }}'\n"},
        "31.01.2026 12:00",
    ),
    "a time of the day": (
        {"pillar__main.sls": "footer: at {{ 'tomorrow 14:30' | strftime('%d %H:%M') }}\n"},
        "at 01 14:30",
    ),
    "status.time": (
        {"pillar__main.sls": "footer: {{ salt['status.time']() }}\n"},
        "Saturday, 31. January 2026 12:00PM",
    ),
    "system.get_system_date_time": (
        {"pillar__main.sls": "footer: at {{ salt.system.get_system_date_time('-0130') }}\n"},
        "at 2026-01-31 10:30:00",
    ),
    "system.get_system_date": (
        {"pillar__main.sls": "footer: {{ salt['system.get_system_date']() }}\n"},
        "Sat 01/31/2026",
    ),
    "system.get_system_time": (
        {"pillar__main.sls": "footer: at {{ salt['system.get_system_time']('+0100') }}\n"},
        "at 01:00:00 PM",
    ),
    "a macro": (
        {
            "pillar__main.sls": "{% from 'm.jinja' import year %}footer: of {{ year() }}\n",
            "pillar__m.jinja": "{% macro year() %}{{ 'now' | strftime('%Y') }}{% endmacro %}\n",
        },
        "of 2026",
    ),
    "a nested render": (
        {
            "pillar__main.sls": "footer: {{ salt['slsutil.renderer']"
            "(string=\"{{ 'now' | strftime }}\", default_renderer='jinja') }}\n"
        },
        "2026-01-31",
    ),
    "mako": (
        {"pillar__main.sls": "#!mako|yaml\nfooter: of ${salt['status.time']('%Y')}\n"},
        "of 2026",
    ),
    "code": (
        {
            "pillar__main.sls": "#!py\ndef run():\n"
            "    return {'footer': 'of ' + __salt__['status.time']('%Y')}\n"
        },
        "of 2026",
    ),
    "a stack": (
        {
            "master": TREE["master"] + "ext_pillar: [{stack: stack/stack.cfg}]\n",
            "pillar__main.sls": "{}\n",
            "stack__stack.cfg": "core.yml\n",
            "stack__core.yml": "footer: of {{ __salt__['status.time']('%Y') }}\n",
        },
        "of 2026",
    ),
    "a top file": (
        {
            "pillar__top.sls": "base:\n  '*': [main, other]\n  {% if 'now' | strftime('%Y') == '2026' %}"
            "\n  'a': [more]\n  {% endif %}\n",
            "pillar__more.sls": "footer: of this year\n",
            "pillar__main.sls": "{}\n",
        },
        "of this year",
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("more", "footer"), WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("memo", [(), ("--no-memo",)], ids=["memo", "no memo"])
def test_whatever_reads_the_clock_gets_the_declared_time(
    more: dict[str, str],
    footer: str,
    memo: tuple[str, ...],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay(folder, **more)
    given = ("--python", *memo)
    assert pillars(capsys, "--clock", "2026-01-31T12:00:00", *given)["a"]["footer"] == footer
    assert "made 1970" not in call(capsys, "compile", *given)
    assert "reads the clock, and no time is declared" in call(capsys, "compile", *given)
    told = call(capsys, "check", "--clock", "2026-01-31T12:00:00", "--rule", "reads-clock")
    is_code = "#!" in more.get("pillar__main.sls", "")  # which `check` does not run
    assert ("set to 2026-01-31T12:00:00 UTC here, by --clock" in told) != is_code


def test_states_read_the_same_clock(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(
        folder,
        **{
            "states__top.sls": "base: {'*': [web]}\n",
            "states__web.sls": "{{ 'now' | strftime('y%Y') }}:\n  test.nop: []\n",
        },
    )
    made = pillars(capsys, "--lowstate", "--clock", "2026-01-31")
    assert [chunk["name"] for chunk in made["a"]["chunks"]] == ["y2026"]
    said = call(capsys, "compile", "--lowstate")
    assert "states/web.sls:1: the state SLS 'web' reads the clock, and no time" in said


def test_a_declared_answer_goes_before_the_clock(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder, **{"pillar__main.sls": "footer: {{ salt['status.time']() }}\n"})
    declare(folder, "functions: {status.time: {'*': then}}")
    assert pillars(capsys)["a"]["footer"] == "then"


@pytest.mark.slow
def test_both_sides_have_the_time_of_the_head(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    declare(folder, "clock: 2020-01-01")
    commit_all(folder)
    file = folder / "mkdocs.yml"
    file.write_text(file.read_text().replace("2020-01-01", "2026-01-31T12:00:00"))
    (folder / "pillar/other.sls").write_text("n: 3\n")
    said = call(capsys, "diff", "--exit-code", code=2)
    assert "use the time 2026-01-31T12:00:00 UTC (`clock` in the configuration)" in said
    assert "n: 1 -> 3" in said
    assert "footer" not in said
    told = json.loads(
        call(capsys, "diff", "--exit-code", "--format", "json", "--clock", "2021-01-01", code=2)
    )
    assert told["notes"] == [
        "values that depend on the clock use the time 2021-01-01T00:00:00 UTC (--clock)"
    ]
    assert call(capsys, "build").count("reads the clock") == 0
    assert (
        "use the time 2026-01-31T12:00:00 UTC" in (folder / "site/changes/index.html").read_text()
    )


def test_a_rule_that_is_off_leaves_the_time_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    declare(folder, "rules: {reads-clock: off}")
    (folder / "pillar/other.sls").write_text("n: 3\n")
    clock = ("--clock", "2021-01-01")
    noted = "values that depend on the clock use the time 2021-01-01"
    assert noted in call(capsys, "diff", "--exit-code", *clock, code=2)
    assert "reads the clock" not in call(capsys, "check", *clock)


def test_nothing_is_said_of_a_clock_that_nobody_reads(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder, **{"pillar__main.sls": "footer: none\n"})
    (folder / "pillar/other.sls").write_text("n: 3\n")
    assert "clock" not in call(capsys, "diff", "--exit-code", "--clock", "2026-01-31", code=2)


@pytest.mark.parametrize("rules", [None, "rules: {reads-clock: off}"], ids=["noted", "off"])
def test_saved_results_say_their_times(
    rules: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(folder)
    if rules is not None:
        declare(folder, rules)
    for name, day in {"one.json": "2026-01-30", "two.json": "2026-01-31"}.items():
        call(capsys, "compile", "--format", "result", "--output", name, "--clock", day)
    said = call(capsys, "diff", "--exit-code", "one.json", "two.json", code=2)
    assert "use two times: 2026-01-30T00:00:00 UTC (--clock), 2026-01-31T00:00:00 UTC" in said
    assert "use the time 2026-01-30T00:00:00 UTC (--clock)" in call(
        capsys, "diff", "one.json", "one.json"
    )


TIMED = (
    FOOTER + "{{ 'now' | strftime('d%j') }}: 1\n"
    "{% if 'now' | strftime('%Y') | int > 2023 %}\nlate: {a: 1, b: 2}\n{% endif %}\n"
    "both: {x: 1, day: {{ None | strftime }}, l: [1, {{ 'now' | strftime('%S') }}]}\n"
)
LIVE = {
    "footer": "made 2026-11-22 17:30",
    "d326": 1,
    "late": {"a": 1, "b": 2},
    "both": {"x": 1, "day": "2026-11-22T00:00:00", "l": [1, 36]},
}


def test_a_live_master_has_another_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(folder, **{"pillar__main.sls": TIMED})
    live = {"a": {**LIVE, "n": 1}, "b": {**LIVE, "n": 2}}
    dump = folder / "dump.json"
    dump.write_text(json.dumps(live))
    said = call(capsys, "verify", "dump.json", "--clock", "2020-01-01")
    assert "14 values not compared: made of the time" in said
    live["a"]["both"] = {**LIVE["both"], "x": 2}  # type: ignore[dict-item]
    live["b"]["n"] = 7
    dump.write_text(json.dumps(live))
    told = json.loads(
        call(capsys, "verify", "dump.json", "--clock", "2020-01-01", "--format", "json", code=2)
    )
    paths = {
        minion: [one["path"] for one in found["differences"]]
        for minion, found in told["minions"].items()
    }
    assert paths == {"a": [["both", "x"]], "b": [["n"]]}
    assert "if the grain 'n' were 7" in call(
        capsys, "verify", "dump.json", "--clock", "2020-01-01", code=2
    )
