"""What ``pillarbook diff`` tells of states."""

import json
import re
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.cli.main import run

PILLAR = {"top.sls": "base: {'*': [web]}", "web.sls": "web: {workers: 4, password: s3kR1t-One}\n"}
STATES = {
    "states/top.sls": "base: {'*': [web], 'web*': [more]}",
    "states/web.sls": "nginx.config:\n  file.managed:\n"
    "    - context: {n: {{ pillar.web.workers }}, pw: {{ pillar.web.password }}}\n",
    "states/more.sls": "more:\n  test.nop: []\n",
    "other/top.sls": "base: {'*': [web]}",
    "other/web.sls": "nginx.config:\n  file.managed:\n    - context: {n: 4, pw: none}\n",
}
ARGUMENTS = ("diff", "--master", "master", "--inventory", "minions.yml")
WORKERS = {"pillar/web.sls": "web: {workers: 8, password: s3kR1t-One}\n"}
MORE = {"states/more.sls": "more:\n  test.nop:\n    - x: 1\n"}
BROKEN = {"states/more.sls": "more:\n  test.nop:\n    - require: [{test: nowhere}]\n"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    master = {"file_roots": {"base": ["states"]}}
    start(tmp_path)
    write_files(write_fleet(tmp_path, PILLAR, {"web1": {}, "db1": {}}, master), STATES)
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    assert run([*ARGUMENTS, "--exit-code", *words]) == code
    return capsys.readouterr().out


def test_text_says_it_under_the_change(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, WORKERS)
    out = answer(capsys)
    assert "1 state changed on 2 minions\n" in out
    assert (
        "because of pillar/web.sls:1\n      changes 1 state (nginx.config)\n"
        "          file.managed nginx.config: context:n 4 -> 8\n"
    ) in out


def test_the_lines_of_a_command_are_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "  cmd.run:\n    - name: |\n        curl x |\n        sh\n"
    write_files(folder, {"states/more.sls": f"a:\n{command}  test.nop: []\n"})
    assert "(a: curl x | sh, a (test.nop))" in answer(capsys)


def test_a_state_of_another_function_is_one_state(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {"states/more.sls": "more:\n  cmd.run: [{name: ls}]\n"})
    assert "1 state changed on 1 minion whose" in answer(capsys)
    write_files(folder, {"states/more.sls": "less:\n  test.nop: []\n"})
    assert "2 states changed on 1 minion whose" in answer(capsys)


def test_states_that_only_run_in_another_order_are_counted_apart(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = STATES["states/more.sls"]
    commit_all(write_files(folder, {"states/more.sls": f"less:\n  test.nop: []\n{more}"}))
    write_files(folder, {"states/more.sls": f"{more}less:\n  test.nop: []\n"})
    assert "\n1 state moved in the run order on 1 minion whose" in answer(capsys)


@pytest.mark.sample(1)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_state_that_another_one_pushes_is_no_change(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = "".join(f"s{at}:\n  test.nop: []\n" for at in range(9))
    commit_all(write_files(folder, {"states/more.sls": more}))
    write_files(folder, {"states/more.sls": f"first:\n  test.nop: []\n{more}"})
    out = answer(capsys, "--format", form)
    assert "\n1 state changed on 1 minion whose" in out
    assert "move" not in out
    told = json.loads(answer(capsys, "--format", "json"))
    assert [one["kind"] for one in told["states"]] == ["added", *["moved"] * 9]
    (change_id,) = {one["change_id"] for one in told["states"]} - {None}
    write_files(folder, {".pillarbook-acks.yml": f"- {change_id}\n"})
    git(folder, "add", ".pillarbook-acks.yml")
    git(folder, "commit", "-qm", "expected", ".pillarbook-acks.yml")
    assert "acknowledged" in answer(capsys, "--format", form, code=0)


def test_states_in_another_order_are_one_section(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = "".join(f"s{at}:\n  test.nop: []\n" for at in range(3))
    last = "{{% if grains.id == '{}' %}}\nnew_{}:\n  test.nop: []\n{{% endif %}}\n"
    top = "base: {'*': [web, more]}"
    commit_all(write_files(folder, {"states/top.sls": top, "states/more.sls": more}))
    turned = "".join(f"s{at}:\n  test.nop: []\n" for at in (2, 0, 1))
    new = turned + last.format("web1", "web") + last.format("db1", "db")
    write_files(folder, {"states/more.sls": new})
    out = answer(capsys, "--format", "markdown")
    headings = re.findall(r"^#### (.*)", out, re.MULTILINE)
    assert headings[-1] == "States in another order: both minions"
    assert sum("another order" in one for one in headings) == 1
    assert "\nmoves 1 state (`s2`) in the run order  \nbecause of " in out
    assert "  moves 1 state (s2) in the run order\n" in answer(capsys)


def test_new_errors_of_states_that_failed_before_are_news(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = "base: {'*': [gone%s]}\n"
    commit_all(write_files(folder, {"states/top.sls": top % ""}))
    write_files(folder, {"states/top.sls": top % ", lost"})
    out = answer(capsys)
    assert out.startswith(
        "States with new errors on 2 minions that failed before. Pillar: no change"
    )
    error = "states/top.sls:1: the state SLS '{}' does not exist in environment 'base'"
    assert f"new errors: both minions\n    {error.format('lost')}\n\n2 minions fail" in out
    assert (
        f"as before, only in their states:\n    states of both minions: {error.format('gone')}"
        in out
    )
    out = answer(capsys, "--format", "markdown")
    assert "\n#### States still failing, with new errors: both minions\n" in out
    assert "minions that failed before have new errors" in answer(capsys, "--expect-none")


def test_a_line_of_states_that_fail_on_both_sides_is_not_without_effect(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(folder, {"states/top.sls": "base: {'*': [gone, more]}\n"}))
    write_files(folder, MORE)
    out = answer(capsys, code=0)
    assert (
        "note: on 2 minions, other states fail on both sides, so changes of these state files are"
        " not compared: more.sls\n"
    ) in out
    assert "no effect" not in out
    write_files(folder, {"states/more.sls": "more:\n  test.nop: []  # as before\n"})
    assert "not compared" not in answer(capsys, code=0)


def test_an_error_is_news_although_a_state_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = "{% if salt['vault.read_secret']('x') %}\nmaybe:\n  test.nop: []\n{% endif %}\n"
    commit_all(write_files(folder, {"states/more.sls": unknown}))
    write_files(folder, {"states/top.sls": "base: {'*': [web, more, gone]}\n"})
    error = "states/top.sls:1: the state SLS 'gone' does not exist in environment 'base'"
    assert f"states newly failing: both minions\n    {error}\n" in answer(capsys)


def test_what_fails_as_before_is_told_once_for_all_its_minions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = "base: {'*': [gone], 'web*': [lost]}\n"
    commit_all(write_files(folder, {"states/top.sls": top}))
    write_files(folder, WORKERS)
    told = answer(capsys).partition("2 minions fail as before, only in their states:\n")[2]
    line = "    states of {}: states/top.sls:1: the state SLS '{}' does not exist in environment 'base'\n"
    assert told == line.format("both minions", "gone") + line.format("web1", "lost")


def test_markdown_says_it_behind_the_cause(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, WORKERS)
    out = answer(capsys, "--format", "markdown")
    assert "because of `pillar/web.sls:1` · changes 1 state (`nginx.config`)  \n" in out
    assert "`file.managed nginx.config`: `context:n` `4` → `8`\n" in out


def test_markdown_tells_the_same_states_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Minions have other values, but the change has the same effect on their states."""
    workers = "{{ %s if grains.id == 'web1' else %s }}, password: s3kR1t-One}\n"
    write_files(folder, {"pillar/web.sls": f"web: {{workers: {workers % (8, 9)}"})
    out = answer(capsys, "--format", "markdown")
    first, second = out.partition("Change ids")[0].split("#### Changed: ")[1:]
    assert "because of `pillar/web.sls:1` · changes 1 state (`nginx.config`)  \n" in first
    assert "because of `pillar/web.sls:1` · changes the same state as above\n\n```" in second


def test_text_tells_a_state_of_two_changes_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = (
        "{% for one in pillar.web.sites %}\n{{ one.name }}:\n  test.nop: [{x: {{ one.root }}}]\n"
    )
    hosts = "web: {sites: [{name: %s, root: %s}], password: s3kR1t-One}\n"
    write_files(folder, {"states/web.sls": f"{state}{{% endfor %}}\n"})
    commit_all(write_files(folder, {"pillar/web.sls": hosts % ("a", "/a")}))
    write_files(folder, {"pillar/web.sls": hosts % ("b", "/b")})
    out = answer(capsys)
    assert out.count("adds 1 state (b)") == 1
    assert "changes the same state as above\n" in out
    assert "2 states changed on 2 minions\n" in out


def test_a_list_member_that_another_one_replaces_is_one_value(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = "hosts:\n  test.nop:\n    - servers: [a, {{ pillar.web.password }}, {{ pillar.web.workers }}]\n"
    commit_all(write_files(folder, {"states/web.sls": state}))
    write_files(folder, {"pillar/web.sls": "web: {workers: 8, password: s3kR1t-Two}\n"})
    out = answer(capsys)
    assert "servers:[] 4 -> 8" in out
    assert "servers:[] removed" not in out


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_minions_where_only_states_change(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, MORE)
    out = answer(capsys, "--format", form)
    assert "\n1 state changed on 1 minion whose pillar does not change\n" in out
    assert "changes 1 state (" in out
    assert "because of " in out
    assert "states/more.sls" in out
    assert "no effect" not in out
    assert re.search(
        r"`?test.nop more`?: `?x`? added: `?1`?\s+because of `?states/more.sls:3`?", out
    )
    assert answer(capsys, "--format", "minions") == "web1\n"


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_states_that_fail(form: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, BROKEN)
    out = answer(capsys, "--format", form)
    assert re.match(r"(### )?States newly failing on 1 minion. Pillar: no change on 2 minions", out)
    assert "states newly failing" in out.lower()
    assert "states change" not in out
    assert answer(capsys, "--format", "minions") == "web1\n"
    assert "states/more.sls:3" in out


def test_keys_that_a_failing_pillar_loses_are_told_only_of_its_minions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = {"pillar/top.sls": "base: {'*': [web], 'web*': [keys]}"}
    commit_all(write_files(folder, {**top, "pillar/keys.sls": "keys: {one: 1, two: 2}\n"}))
    web = {"pillar/web.sls": "web: {password: s3kR1t-One}\n"}
    write_files(folder, {**web, "pillar/keys.sls": "keys: {one: {{ grains.nope }}}\n"})
    out = answer(capsys, "--format", "markdown")
    assert "Pillar: 1 minion newly fails; " in out
    assert ". States newly failing on 1 more minion\n" in out
    pillar, states = out.split("#### States newly failing: ")
    assert "Newly failing: `web1`" in pillar
    assert "2 keys lost: `keys`" in pillar
    assert "lost" not in states


def test_no_change_of_any_state(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, {"states/more.sls": "# a word\nmore:\n  test.nop: []\n"})
    assert "state" not in answer(capsys, code=0)


def test_secrets_are_redacted_unless_revealed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {"pillar/web.sls": "web: {workers: 4, password: s3kR1t-Two}\n"})
    for form in ("text", "markdown", "json"):
        assert "s3kR1t" not in answer(capsys, "--format", form)
    (state,) = json.loads(answer(capsys, "--format", "json", "--reveal"))["states"]
    (argument,) = state["arguments"]
    assert (argument["before"], argument["after"]) == ("s3kR1t-One", "s3kR1t-Two")
    assert argument["path"] == ["context", "pw"]


def test_many_states_and_arguments_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"s{number}" for number in range(8)]
    states = {"states/more.sls": "".join(f"{name}:\n  test.nop: []\n" for name in names)}
    commit_all(write_files(folder, states))
    arguments = "".join(f"    - a{number}: {number}\n" for number in range(5))
    changed = "".join(f"{name}:\n  test.nop:\n{arguments}" for name in names)
    write_files(folder, {"states/more.sls": changed})
    out = answer(capsys)
    assert "test.nop s0: a0 added: 0, a1 added: 1, a2 added: 2 and 2 more\n" in out
    assert out.count("test.nop s") == 5
    assert "      and 3 more\n" in out


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(
            "nginx:\n  service.running:\n    - enable: true\n",
            "nginx:\n  service.running:\n    - enable: false\n",
            "service.running nginx: enable true -> false",
            id="another value",
        ),
        pytest.param(
            "a:\n  test.nop:\n    - x: 1\n",
            "a:\n  test.nop: []\n",
            "test.nop a: x removed: 1",
            id="an argument less",
        ),
        pytest.param(
            "a:\n  service.running: []\n",
            "a:\n  service.dead: []\n",
            'service.dead a: function "running" -> "dead"',
            id="another function",
        ),
        pytest.param(
            "a:\n  test.nop: []\nb:\n  test.nop: []\n",
            "a:\n  test.nop: []\nb:\n  test.nop:\n    - require: [{test: a}]\n",
            'test.nop b: require added: [{test: "a"}]',
            id="a requisite",
        ),
    ],
)
def test_arguments_are_told(
    before: str, after: str, told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(folder, {"states/more.sls": before}))
    write_files(folder, {"states/more.sls": after})
    assert f"      {told}\n" in answer(capsys)


def test_what_reads_alike_in_several_environments_is_told_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = {"minions": {"web1": {"saltenv": "base"}, "web2": {"saltenv": "next"}}}
    roots = {"base": ["states"], "next": ["states"]}
    files = {"states/top.sls": "base: {'*': [more]}\nnext: {'*': [more]}"}
    files["master"] = json.dumps({"pillar_roots": {"base": ["pillar"]}, "file_roots": roots})
    commit_all(write_files(folder, {**files, "minions.yml": json.dumps(fleet)}))
    write_files(folder, MORE)
    out = answer(capsys)
    assert out.count("test.nop more: x added: 1\n") == 1
    both = json.loads(answer(capsys, "--format", "json"))["states"]
    assert sorted(one["minions"] for one in both) == [["web1"], ["web2"]]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [(True, False, "removes 1 state (`motd`)"), (False, True, "adds 1 state (`motd`)")],
)
def test_states_that_read_alike_on_each_minion_are_told_once(
    before: bool, after: bool, told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "motd:\n  test.nop:\n    - x: {{ grains.id }}\n"
    files = {"states/top.sls": "base: {'*': [web, more]}"}
    commit_all(write_files(folder, {**files, "states/more.sls": own if before else "{}"}))
    write_files(folder, {"states/more.sls": own if after else "{}"})
    out = answer(capsys, "--format", "markdown")
    assert re.findall(r"^#### .*", out, re.MULTILINE) == ["#### States changed: both minions"]
    assert f"\n{told}" in out


def test_environments_with_other_states(folder: Path, printed: Printed) -> None:
    section = {
        "master": "master",
        "inventory": "minions.yml",
        "environments": [
            {"one": {"file_roots": {"base": ["states"]}}},
            {"two": {"file_roots": {"base": ["other"]}}},
        ],
    }
    config = {"site_name": "x", "plugins": [{"pillarbook": section}]}
    write_files(folder, {"mkdocs.yml": json.dumps(config)})
    words = [
        "diff",
        "--exit-code",
        "-f",
        "mkdocs.yml",
        "--environments",
        "one",
        "two",
        "--format",
        "json",
    ]
    told = json.loads(printed(words, 2).out)
    kinds = sorted((one["kind"], one["state_id"], *one["minions"]) for one in told["states"])
    assert kinds == [("changed", "nginx.config", "web1", "db1"), ("removed", "more", "web1")]
    assert told["minions"]["web1"]["outcome"] == "unchanged"


def test_saved_results_say_that_they_hold_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling = ["compile", *ARGUMENTS[1:], "--format", "result", "--output", "a.json"]
    assert run(compiling) == 0
    capsys.readouterr()
    assert "have no states" in answer(capsys, "a.json", "a.json", code=0)
