"""Names that are computed from secrets: nothing that is printed or published holds one."""

from pathlib import Path

import pytest
from tests.support.derived import write_tree

from pillarbook.cli.main import run

PASSWORD = "Xq7vLm2pTz9Rk4Wd"
FORMS = (PASSWORD, PASSWORD.lower(), PASSWORD.upper())
STATES = {"file_roots": {"base": ["states"]}}
FILES = {
    "docs/index.md": "# Words\n",
    "pillar/top.sls": "base: {'*': [all]}",
    "pillar/all.sls": f"db: {{password: {PASSWORD}}}\nplain: hello\n",
    "states/top.sls": "base: {'*': [app]}",
}
LOWER, UPPER = "{{ pillar.db.password | lower }}", "{{ pillar.db.password | upper }}"
IDS = {
    "a key in an argument": f"x: {{test.nop: [m: {{'k{LOWER}': 1}}]}}",
    "a key below a list": f"x: {{test.nop: [m: [{{a: {{{LOWER}: {{b: 1}}}}}}]]}}",
    "an argument and its id": f"id{LOWER}: {{file.managed: [{LOWER}: x]}}",
    "an argument that is used": f"x: {{test.nop: [use: [{{test: y{LOWER}}}]]}}\n"
    f"y{LOWER}: {{test.nop: [{UPPER}: z]}}",
    "a key that is read": "x: {test.nop: [v: {{ pillar.get(pillar.db.password|lower, 3) }}]}",
    "a path that is read": "x: {test.nop: [w: {{ salt['pillar.get']"
    "('a:' ~ pillar.db.password|upper, 3) }}]}",
    "parts of it": "{% set p = pillar.db.password|lower %}id{{ p }}:\n"
    "  file.managed: [name: /{{ p[8:] }}, {{ p }}: {{ p[::-1] }}]\n",
}
"""State SLS that render."""
ERRORS = {
    "an SLS that is not there": f"include: [inc.{LOWER}]",
    "an environment": f"include: [{{{LOWER}: t}}]",
    "an id twice": f"x{LOWER}: test.nop\ninclude: [other]",
    "a requisite on what is not there": f"x: {{test.nop: [require: [{{file: y{LOWER}}}]]}}",
    "an extended state": f"extend: {{y{LOWER}: {{file: [mode: 1]}}}}",
    "a ring": f"a{LOWER}: {{test.nop: [require: [{{test: b{LOWER}}}]]}}\n"
    f"b{LOWER}: {{test.nop: [require: [{{test: a{LOWER}}}]]}}",
    "no shape": f"x{LOWER}: [1]",
    "a key that fails": "{{ pillar[pillar.db.password|lower] }}",
}
"""State SLS that do not."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {**FILES, "states/other.sls": f"x{LOWER}: test.nop"}
    return write_tree(tmp_path, files, master=STATES)


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what all commands print that tell of a minion; none of it is a crash."""
    for arguments in (
        ["compile", "--lowstate"],
        ["compile", "--lowstate", "--format", "yaml"],
        ["compile"],
        ["check"],
        ["check", "--format", "sarif"],
    ):
        assert run(arguments) in (0, 1, 2)
    out, err = capsys.readouterr()
    assert "internal error" not in err
    return out + err


def site(folder: Path) -> str:
    """Build the site, and return all of it."""
    assert run(["build"]) == 0
    files = (path for path in (folder / "site").rglob("*") if path.is_file())
    return "\0".join(f"{path}\0{path.read_bytes().decode('utf-8', 'replace')}" for path in files)


def held_in(text: str) -> list[str]:
    return [form for form in FORMS if form in text]


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", [*IDS.values(), *ERRORS.values()], ids=[*IDS, *ERRORS])
def test_nothing_that_is_printed_holds_one(
    folder: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "states" / "app.sls").write_text(text)
    assert held_in(printed(capsys)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "top",
    [
        f"base: {{'*': [app, 'dyn.{LOWER}']}}",
        f"{LOWER}: {{'*': [app]}}\nbase: {{'{LOWER}*': [app]}}",
        f"base:\n  '*': [app]\n  a: [{{match: {LOWER}}}, app]",
        f"base:\n  '*': [app]\n  'db:{LOWER}': [{{match: pillar}}, app]",
    ],
    ids=["an SLS", "an environment", "a matcher", "a target"],
)
def test_the_top_file_of_the_states_tells_none(
    folder: Path, top: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "states" / "top.sls").write_text(top)
    (folder / "states" / "app.sls").write_text("x: test.nop")
    assert held_in(printed(capsys)) == []
    assert held_in(site(folder)) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", IDS.values(), ids=IDS)
def test_no_page_holds_one(folder: Path, text: str) -> None:
    (folder / "states" / "app.sls").write_text(text)
    assert held_in(site(folder)) == []


def test_no_page_holds_one_of_an_error(folder: Path) -> None:
    (folder / "states" / "app.sls").write_text("include: [other]\n")
    (folder / "states" / "other.sls").write_text("\n".join(IDS.values()))
    (folder / "states" / "top.sls").write_text("base: {'*': [app, e0, e1, e2, e3, e4, e5, e6, e7]}")
    for number, text in enumerate(ERRORS.values()):
        (folder / "states" / f"e{number}.sls").write_text(text)
    assert held_in(site(folder)) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "text",
    [
        "'k{{ grains.api_token | lower }}': 1",
        "m: {a: {'{{ grains.api_token | upper }}': {b: 1}}}",
        "include: ['inc.{{ grains.api_token | lower }}']",
        "a: '{{ salt[grains.api_token | lower]() }}'",
    ],
    ids=["a key", "a key below", "an SLS", "a function"],
)
def test_names_in_the_pillar(
    tmp_path: Path,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    minions = {"a": {"grains": {"api_token": PASSWORD}}, "b": {"grains": {"api_token": PASSWORD}}}
    write_tree(tmp_path, {**FILES, "pillar/all.sls": text}, minions=minions)
    assert held_in(printed(capsys)) == []
    assert held_in(site(tmp_path)) == []


def test_what_files_spell_out_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which way a template goes may hang on a secret; what it says there does not."""
    text = (
        "{% if 'Xq7' in pillar.db.password %}\n"
        "written-so-12345678: {test.nop: [an_argument_so_named: {a_key_so_named: 1}]}\n"
        "{% else %}\n"
        "written-otherwise-12345678: {test.nop: [another_argument: {another_key_so_named: 1}]}\n"
        "{% endif %}\n"
        "shop-{{ grains.id * 20 }}: {test.nop: [m: {'{{ grains.id * 30 }}-b7': 1}]}\n"
    )
    (folder / "states" / "app.sls").write_text(text)
    shown = printed(capsys)
    for word in ("an_argument_so_named", "a_key_so_named", "shop-" + "a" * 20, "a" * 30 + "-b7"):
        assert word in shown


def test_a_template_that_takes_no_other_secret_hides_no_names(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "states" / "app.sls").write_text(
        f"{{{{ {{'{PASSWORD}': 'x'}}[pillar.db.password] }}}}-{{{{ 'name' * 5 }}}}: test.nop\n"
    )
    (folder / "states" / "top.sls").write_text("base: {'*': [app, plain]}")
    (folder / "states" / "plain.sls").write_text(
        "y: {test.nop: [m: {'{{ grains.id * 30 }}-b7': 1}]}"
    )
    assert "a" * 30 + "-b7" in printed(capsys)
