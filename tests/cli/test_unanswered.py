"""Unknown values: what commands say of values that nobody knows here."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.schemas import faults_of

from pillarbook.cli.main import run
from pillarbook.compile import render_file
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.model.unknown import Unknown

TOKEN = re.compile(r"pbu[0-9a-f]{8}")
SECTION = "site_name: x\ndocs_dir: docs\ntheme: {name: pillarbook}\nplugins:\n  - pillarbook:"
TREE = {
    "mkdocs.yml": f"{SECTION} {{master: master, inventory: minions.yml}}\n",
    "docs/index.md": "# x\n",
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [salt]}\n",
    "minions.yml": "minions: {web1: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [all, more], 'db*': [decides]}\n",
    "pillar/all.sls": "{% set s = salt['vault.read_secret']('secret/' ~ grains.id) %}\n"
    "user: {{ s.user }}\nport: 5432\ndb: {password: '{{ s.pw }}', host: db}\n",
    "pillar/more.sls": "user: app\nday: {{ salt['cmd.run']('echo Tr0ub4dor-9xyz') }}\n"
    "token: Tr0ub4dor-9xyz\n",
    "pillar/decides.sls": "a: {{ 1 if salt['cmd.run']('x') else 2 }}\n",
    "salt/top.sls": "base: {'*': [s]}\n",
    "salt/s.sls": "s:\n  test.nop:\n    - x: {{ pillar.get('port', 'none') }}\n",
}

AS_ERROR = TREE["mkdocs.yml"].replace("minions.yml}", "minions.yml, unanswered: error}")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, TREE)


def out_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(words) == code
    out = capsys.readouterr().out
    assert TOKEN.search(out) is None
    return out


def test_unknown_values_are_marked_and_the_rest_is_exact(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = json.loads(out_of(capsys, "compile"))
    assert faults_of("compile", told) == []
    web = told["web1"]
    assert [*web] == ["user", "port", "db", "day", "token"]
    assert (web["user"], web["port"]) == ("app", 5432)
    assert web["db"]["password"] == {"$unknown": "vault.read_secret secret/..."}
    assert "Tr0ub4dor" not in json.dumps(told)
    assert [*told["db1"]] == ["user", "port", "db", "day", "token", "a"]
    assert told["db1"]["a"] == {"$unknown": "cmd.run x"}


def test_lists_that_many_loops_over_unknown_values_change_are_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = (
        "{% for one in u %}{% do a.append(one) %}{% do b.append(a) %}{% do a.append(b) %}"
        "{% endfor %}"
    )
    text = "{% set a = [] %}{% set b = [] %}{% set u = salt['vault.read_secret']('x') %}"
    write_files(folder, {"pillar/all.sls": f"{text}{loop * 8}\ncount: {{{{ a | length }}}}\n"})
    web = json.loads(out_of(capsys, "compile"))["web1"]
    assert web["count"] == {"$unknown": "vault.read_secret x"}


@pytest.mark.slow
def test_the_memo_and_more_processes_change_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "0" * 64)
    expected = out_of(capsys, "compile")
    assert out_of(capsys, "compile", "--no-memo") == expected
    assert out_of(capsys, "compile", "--jobs", "2") == expected


def test_minions_share_the_render_that_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    strict: list[str] = []
    render = render_file._render_once

    def noted(found: Any, name: Any, view: Any, *others: Any) -> Any:
        if len(others) == 2:  # no unknown answers
            strict.append(name[0])
        return render(found, name, view, *others)

    monkeypatch.setattr(render_file, "_render_once", noted)
    out_of(capsys, "compile", "--jobs", "1")
    assert sorted(strict) == ["", "all", "all", "decides", "more"]  # `all` asks for the id first


def test_states_read_unknown_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    states = (
        "one:\n  test.nop:\n    - x: '{{ pillar.user }}'\n    - y: {{ pillar.port + 1 }}\n"
        "{% if pillar.db.password == 'x' %}\ntwo:\n  test.nop: []\n{% endif %}\n"
    )
    pillar = {"pillar/top.sls": "base: {'*': [all]}\n", "salt/s.sls": states}
    write_files(folder, pillar)
    told = json.loads(out_of(capsys, "compile", "--lowstate", "--minion", "web1"))
    assert faults_of("lowstate", told) == []
    [one] = told["web1"]["chunks"]
    assert told["web1"]["errors"] == []
    assert one["x"] == {"$unknown": "vault.read_secret secret/..."}
    assert (one["y"], one["__id__"]) == (5433, "one")
    found = out_of(capsys, "check")
    assert "salt/s.sls:6: warning: the state 'two' is left out, because it depends on" in found
    write_files(folder, {"salt/s.sls": f"include: ['{{{{ pillar.user }}}}']\n{states}"})
    told = json.loads(out_of(capsys, "compile", "--lowstate", "--minion", "web1"))
    assert told["web1"] == {
        "chunks": [],
        "errors": ["the states depend on a value that is not known"],
    }
    assert "salt/s.sls: warning: the states are left out, because 's' depends on" in out_of(
        capsys, "check"
    )


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("valut.read", "correct the name, if you mean 'vault.read_secret'; or declare an answer"),
        ("cmd.rum", "correct the name, if you mean 'cmd.run'; or declare an answer"),
        ("zzzz.qqqq", "correct the name; or declare an answer"),
        ("vault.cached_read", "correct the name; or declare an answer"),
    ],
)
def test_a_name_that_no_salt_has_is_named_rather_than_the_call_before_it(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, remedy: str
) -> None:
    text = f"a: {{{{ salt['random.get_str'](12) }}}}\nb: {{{{ salt['{name}']('x') }}}}\n"
    write_files(folder, {"pillar/top.sls": "base: {'*': [bad]}\n", "pillar/bad.sls": text})
    found = out_of(capsys, "check", code=2)
    assert f"pillar/bad.sls:2: error: SLS 'bad' calls '{name}', which no Salt has" in found
    assert remedy in found
    assert "random.get_str" not in found


def test_what_is_asked_is_still_listed(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(out_of(capsys, "answers", "list", "--format", "json"))
    listed = {one["name"]: (one["minions"], one["asked"]) for one in told["answers"]}
    assert listed == {
        "vault.read_secret": (["web1", "db1"], 2),
        "cmd.run": (["web1", "db1"], 3),
    }


EACH_KIND = {
    "pillar/top.sls": "base: {'*': [all], 'db*': [each]}\n",
    "pillar/each.sls": "{% set s = salt['cmd.run']('x') %}\n"
    "{{ s.key }}: 1\nm: {'{{ s.key }}': 1, k: '{{ s }}'}\nl: [{{ s.a }}, b]\n"
    "{% for one in s.all %}\nn{{ loop.index }}: {{ one }}\n{% endfor %}\n"
    "{% if s.on %}\nmore: {a: 1, b: {{ s.b }}}\n{% endif %}\n",
}
OUTPUTS = [
    ["compile"],
    ["compile", "--format", "yaml"],
    ["compile", "--format", "jsonl"],
    ["explain", "db1"],
    ["explain", "db1", "--format", "json"],
    ["get", "more"],
    ["check", "--format", "sarif"],
    ["export", "--output", "out.sqlite"],
    ["export", "--format", "csv", "--output", "out.zip"],
    ["build", "--site-dir", "out"],
    ["diff", "HEAD"],
    ["diff", "HEAD", "--format", "markdown"],
    ["diff", "HEAD", "--format", "json"],
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_each_output_shows_each_kind(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TREE["mkdocs.yml"].replace("{", "{revisions: {base: HEAD}, ")
    write_files(folder, {"mkdocs.yml": text, ".gitignore": "out*\n"})
    git(folder, "init", "-q")
    commit_all(folder)
    write_files(folder, EACH_KIND)
    out = out_of(capsys, *words)
    if Path("out.zip").exists():
        zipfile.ZipFile("out.zip").extractall("out")
    files = (file for file in folder.glob("out*/**/*") if file.is_file())
    texts = [out.encode(), *(file.read_bytes() for file in (*files, *folder.glob("*.sqlite")))]
    assert not [text for text in texts if re.search(TOKEN.pattern.encode(), text)]
    assert words[0] == "check" or any(b"cmd.run x" in text for text in texts)


def test_no_token_is_in_a_site(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_of(capsys, "build")
    texts = [file.read_bytes() for file in (folder / "site").rglob("*") if file.is_file()]
    assert not [text for text in texts if re.search(TOKEN.pattern.encode(), text)]
    assert any(b"vault.read_secret secret/..." in text for text in texts)


def test_revealed_pillar_is_as_salt_has_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    revealed = out_of(capsys, "compile", "--reveal")
    write_files(folder, {"mkdocs.yml": AS_ERROR})
    assert out_of(capsys, "compile", "--reveal") == revealed


def test_unknown_values_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_of(capsys, "build")
    page = (folder / "site" / "minions" / "web1.html").read_text()
    assert "<dt>Unknown</dt><dd>1</dd>" in page
    assert "unknown (vault.read_secret secret/...)" in page
    home = (folder / "site" / "index.html").read_text()
    assert "<dd>3 <small>values without an answer, on 2 minions</small>" in home
    assert "; 2 with unknown values" in (folder / "site" / "minions" / "index.html").read_text()
    assert out_of(capsys, "explain", "web1").startswith("web1: ok, 1 unknown value\n")


def test_check_fails_on_unknown_values_if_it_is_asked_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {"pillar/top.sls": "base: {'web*': [all], '*': [more]}\n"})
    assert run(["check"]) == 0
    assert run(["check", "--fail-on", "unknown"]) == 2
    assert (
        "2 minions with unknown values: web1, db1; `pillarbook answers list` lists"
        in capsys.readouterr().err
    )
    write_files(folder, {"pillar/top.sls": "base: {}\n"})
    assert run(["check", "--fail-on", "unknown"]) == 0


def test_unknown_values_are_not_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, {"pillar/top.sls": "base: {'web*': [all]}\n"})
    asked = ("--minion", "web1", "--format", "result", "--output", "saved.json")
    out_of(capsys, "compile", *asked)
    changed = TREE["pillar/all.sls"].replace("{{ s.user }}", "root").replace("5432", "5433")
    write_files(folder, {"pillar/all.sls": changed})
    out_of(capsys, "compile", *asked[:-1], "new.json")
    told = json.loads(out_of(capsys, "diff", "saved.json", "new.json", "--format", "json"))
    assert faults_of("diff", told) == []
    assert [one["path"] for one in told["atoms"]] == [["port"]]
    assert told["unknown"] == 2
    text = out_of(capsys, "diff", "saved.json", "new.json")
    assert "note: 2 unknown values are not compared, on 1 minion\n" in text
    dump = {"web1": {"user": "other", "port": 5433, "db": {"password": "x", "host": "db"}}}
    write_files(folder, {"dump.json": json.dumps(dump), "pillar/all.sls": TREE["pillar/all.sls"]})
    assert run(["verify", "dump.json", "--minion", "web1"]) == 2
    out = capsys.readouterr().out
    assert "port" in out
    assert "user" not in out
    assert "unknown here" in out


def test_a_known_value_that_becomes_unknown_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {"pillar/top.sls": "base: {'web*': [all]}\n"})
    asked = ("--minion", "web1", "--format", "result", "--output")
    out_of(capsys, "compile", *asked, "saved.json")
    assert "Not proven" in out_of(
        capsys, "diff", "saved.json", "saved.json", "--expect-none", code=2
    )
    write_files(folder, {"pillar/all.sls": TREE["pillar/all.sls"].replace("5432", "{{ s.port }}")})
    out_of(capsys, "compile", *asked, "new.json")
    told = json.loads(out_of(capsys, "diff", "saved.json", "new.json", "--format", "json"))
    [atom] = told["atoms"]
    assert (atom["path"], atom["before"]) == (["port"], 5432)
    assert atom["after"] == {"$unknown": "vault.read_secret secret/..."}
    assert told["unknown"] == 2
    text = out_of(capsys, "diff", "saved.json", "new.json")
    assert "~ port: 5432 -> <unknown (vault.read_secret secret/...)>" in text


def test_a_value_from_another_source_may_have_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {"pillar/top.sls": "base: {'*': [all]}\n"})
    asked = ("--format", "result", "--output")
    out_of(capsys, "compile", *asked, "saved.json")
    write_files(folder, {"pillar/all.sls": TREE["pillar/all.sls"].replace("'secret/'", "'kv/'")})
    out_of(capsys, "compile", *asked, "new.json")
    told = json.loads(out_of(capsys, "diff", "saved.json", "new.json", "--format", "json"))
    assert faults_of("diff", told) == []
    assert told["may_have_changed"] == [
        {
            "path": path,
            "before": {"$unknown": "vault.read_secret secret/..."},
            "after": {"$unknown": "vault.read_secret kv/..."},
            "minions": ["web1", "db1"],
        }
        for path in (["user"], ["db", "password"])
    ]
    text = out_of(capsys, "diff", "saved.json", "new.json")
    assert text.startswith("Pillar: no known change on 2 minions\n")
    assert (
        "note: may have changed, on 2 minions: user, db:password come from vault.read_secret kv/...,"
        " before from vault.read_secret secret/...\n" in text
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "command", ["compile", "build", "explain web1", "export --output x.sqlite"]
)
def test_a_token_that_gets_out_stops_the_command(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    monkeypatch.setattr(UnknownAnswers, "read", lambda _, text: Unknown((text,)))
    out_of(capsys, *command.split(), code=3)
    assert not (folder / "site").exists()


def test_with_error_a_call_loses_its_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {**TREE, "pillar/top.sls": "base: {'*': [all, more, clean]}\n"}
    write_files(folder, {**asked, "pillar/clean.sls": "fine: 1\n"})
    told = json.loads(out_of(capsys, "compile"))
    assert [*told["web1"]] == ["user", "port", "db", "day", "token", "fine"]
    assert run(["check", "--fail-on", "unknown"]) == 2
    capsys.readouterr()
    write_files(folder, {"mkdocs.yml": AS_ERROR})
    refused = out_of(capsys, "compile")
    assert [*json.loads(refused)["web1"]] == ["fine", "_errors"]


def test_a_filter_of_the_machine_is_unknown_and_no_question(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asks = "a: {{ 5 | random_str }}\nb: 1\nc: {{ 'now' | strftime('%Y') }}\n"
    write_files(folder, {"pillar/top.sls": "base: {'web*': [asks]}\n", "pillar/asks.sls": asks})
    told = json.loads(out_of(capsys, "compile", "--minion", "web1"))
    assert told["web1"] == {
        "a": {"$unknown": "random_str"},
        "b": 1,
        "c": {"$unknown": "strftime ..."},
    }
    assert json.loads(out_of(capsys, "answers", "list", "--format", "json"))["answers"] == []
    write_files(folder, {"mkdocs.yml": AS_ERROR})
    assert run(["check"]) == 2
    told = capsys.readouterr().out
    assert "uses the filter 'random_str' whose result depends on the machine" in told
    assert "[undeclared-function]" in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("salt['random.rand_int'](1, 60)", "SLS 'asks' calls 'random.rand_int' without a seed"),
        ("salt['random.sample']([1, 2], 1)", "SLS 'asks' calls 'random.sample' without a seed"),
        ("salt['random.shuffle']([1, 2])", "SLS 'asks' calls 'random.shuffle' without a seed"),
        ("[1, 2] | random_sample(1)", "SLS 'asks' uses the filter 'random_sample' without a seed"),
        ("[1, 2] | random_shuffle", "SLS 'asks' uses the filter 'random_shuffle' without a seed"),
    ],
)
def test_chance_without_a_seed_is_unknown_and_a_seed_is_the_remedy(
    folder: Path, capsys: pytest.CaptureFixture[str], asked: str, told: str
) -> None:
    asks = f"a: {{{{ {asked} }}}}\nb: 1\n"
    write_files(folder, {"pillar/top.sls": "base: {'web*': [asks]}\n", "pillar/asks.sls": asks})
    compiled = json.loads(out_of(capsys, "compile", "--minion", "web1"))["web1"]
    assert [*compiled["a"]] == ["$unknown"]
    assert compiled["b"] == 1
    write_files(folder, {"mkdocs.yml": AS_ERROR})
    assert run(["check"]) == 2
    found = capsys.readouterr().out
    assert f"{told}, so its result depends on chance [undeclared-function]" in found
    assert "give it a seed" in found
