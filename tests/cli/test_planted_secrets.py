"""No message about a file that does not render holds a value out of the tree."""

import json
from pathlib import Path

import pytest

from pillarbook.cli.main import run

FORMS = ("json", "github", "sarif", "junit", "gitlab")

SECRET = "xYhunter"
"""Part of every planted value; its keys are such that no rule would hide it by them."""

FILES: dict[str, tuple[str, str]] = {
    "tag": ("k: !{0} 1", "could not determine a constructor for the tag"),
    "double_tag": ("k: !!{0} x", "could not determine a constructor for the tag"),
    "tag_handle": ("k: !{0}! 1", ""),
    "alias": ("k: *{0}", "alias"),
    "anchor": ("k: &{0} 1\nl: &{0} 2\nm: [*{0}, *no]", ""),
    "mapping_key": ("#!yaml\nk: {{{{{0}}}}}", "found unacceptable key"),
    "list_key": ("#!yaml\n? [{0}]\n: 1", ""),
    "integer": ("k: !!int {0}", "invalid literal for int() with base 10"),
    "float": ("k: !!float {0}", "could not convert string to float"),
    "binary": ("k: !!binary {0}é", "failed to convert base64 data into ascii"),
    "flow": ("k: [{0}, b\nl: '{0}'", "expected"),
    "scanner": ("k: '{0}", ""),
    "json": ('#!json\n{{"k": {0}}}', "Expecting value"),
    "load_json": ("{{% set c = '{{\"k\": {0}}}' | load_json %}}", "Unable to load json"),
    "load_yaml": ("{{% set c = 'k: [{0}' | load_yaml %}}", "Encountered error loading yaml"),
    "load_yaml_tag": ("{{% set c = 'k: !{0} 1' | load_yaml %}}", ""),
    "deserialize": ("{{{{ salt['slsutil.deserialize']('json', '{0}') }}}}", ""),
    "index": ("{{% set c = {{'k': '{0}'}} %}}\nk: {{{{ 'abc'[c] }}}}", ""),
    "attribute": ("{{% set c = '{0}' %}}\nk: {{{{ {{}}[c].x }}}}", "has no such attribute"),
    "element": ("{{% set c = ('{0}',) %}}\nk: {{{{ {{}}[c] + 1 }}}}", "has no such element"),
    "listed": ("k: {{{{ {{}}[['{0}'] | join] + 1 }}}}", "has no such attribute"),
    "int_filter": ("k: {{{{ '{0}'.index('!') }}}}", "substring not found"),
    "in_list": ("k: {{{{ ['a'].index('{0}') }}}}", "a value is not what is asked for"),
    "key_error": ("k: {{{{ {{}}.pop('{0}') }}}}", "a key is missing"),
    "pillar_key": ("k: {{{{ salt['pillar.get']('{0}', salt=1) }}}}", ""),
    "format": ("k: {{{{ '{{x}}'.format(y='{0}') }}}}", "a key is missing"),
    "percent": ("k: {{{{ '%d' % '{0}' }}}}", ""),
    "date": ("k: {{{{ '{0}' | strftime('%Y') }}}}", ""),
    "hash": ("k: {{{{ 'x' | file_hashsum('{0}') }}}}", ""),
    "regex": ("k: {{{{ 'x' | regex_search('({0}') }}}}", ""),
    "bracket": ("k: {{{{ '{0}' {0} }}}}", "expected token"),
    "character": ("k: {{{{ p@{0} }}}}", ""),
    "iterable": ("k: {{{{ '{0}' | to_bool(1, 2, 3) }}}}", ""),
    "check_whitelist": ("k: {{{{ 'x' | check_whitelist_blacklist(5, '{0}') }}}}", ""),
    "number": ("k: {{{{ 1 + '{0}' }}}}", "unsupported operand type(s) for +: 'int' and 'str'"),
}
NAMED = {
    "variable": ("k: {{ no_such }}", "'no_such' is undefined"),
    "filter": ("k: {{ 1 | no_such }}", "No filter named 'no_such'"),
    "written_attribute": ("k: {{ grains.os.no_such + 1 }}", "has no attribute 'no_such'"),
    "written_key": ("k: {{ grains['os']['no_such'] + 1 }}", "has no attribute 'no_such'"),
    "no_caller": (
        "{% macro m() %}{{ caller() }}{% endmacro %}\nk: {{ m() }}",
        "No caller defined",
    ),
    "no_argument": (
        "{% macro m(a) %}{{ a }}{% endmacro %}\nk: {{ m() }}",
        "parameter 'a' was not provided",
    ),
    "empty": ("k: {{ [] | last }}", "No last item, sequence was empty"),
    "own_words": ("{{ raise('say why') }}", "say why"),
    "tab": ("k:\n\t- a", "found character"),
}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pages").mkdir()
    (tmp_path / "stack").mkdir()
    for number, (name, (text, _)) in enumerate(FILES.items()):
        (tmp_path / f"pillar/{name}.sls").write_text(text.format(f"{SECRET}{number:02}Zq9") + "\n")
    for name, (text, _) in NAMED.items():
        (tmp_path / f"pillar/{name}.sls").write_text(text + "\n")
    names = [*FILES, *NAMED]
    (tmp_path / "pillar/top.sls").write_text(json.dumps({"base": {"*": names}}))
    (tmp_path / "master").write_text("pillar_roots: {base: [pillar]}\n")
    (tmp_path / "minions.yml").write_text("minions: {m1: {grains: {os: Debian}}}\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\n"
        "plugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_output_holds_a_planted_value(fleet: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["check"],
        *(["check", "--format", form] for form in FORMS),
        ["compile", "--minion", "m1"],
        ["build"],
        ["build", "--strict", "--site-dir", "other"],
    ):
        run(arguments)
        told = capfd.readouterr()
        lines = [line for line in (told.out + told.err).splitlines() if SECRET in line]
        assert lines == [], arguments
    holding = [
        str(file)
        for file in (fleet / "site").rglob("*")
        if file.is_file() and SECRET.encode() in file.read_bytes()
    ]
    assert holding == []


def test_a_message_says_where_and_why_all_the_same(
    fleet: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["check", "--format", "json"])
    found = json.loads(capfd.readouterr().out)
    rows = found if isinstance(found, list) else found["diagnostics"]
    told = {row["file"]: row for row in rows if row["severity"] == "error"}
    missing = [name for name in (*FILES, *NAMED) if f"pillar/{name}.sls" not in told]
    assert missing == []
    for name, (_, reason) in {**FILES, **NAMED}.items():
        row = told[f"pillar/{name}.sls"]
        assert reason in row["message"], name
        assert row["line"], name
