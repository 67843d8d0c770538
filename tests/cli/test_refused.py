"""Values that make no sense or mean harm: one sentence, exit code 1, and the last site stays."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.hostile.tree import LAUGHS
from tests.support.fleets import write_files
from tests.support.leaky import CONFIGURATION, TREE, files_of

from pillarbook.cli.main import run

MERGES = "\n".join(
    ["b0: &b0 {k: 1}"]
    + [f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}'] * 10)}]}}" for n in range(1, 11)]
)
"""Merge keys that come to ten thousand million."""
DEEP = "[" * 3000 + "]" * 3000
LONG = f"[&a '{'x' * 99_999}', {', '.join(['*a'] * 999)}]"
TOO_LONG = "its aliases stand for over 16,777,216 characters"
REPO = "repo_url: https://example.com"
SECTION = "      inventory: minions.yml\n"

OPTIONS: Mapping[str, str] = {
    "theme: [a]": "Invalid type",
    "theme: {name: [a]}": "MkDocs cannot work with this configuration",
    "theme: {name: pillarbook, static_templates: 3}": "MkDocs cannot work with this configuration",
    "theme: {name: pillarbook, locale: ../x}": "Invalid value for locale",
    "docs_dir: master": "isn't an existing directory",
    "docs_dir: /": "leads outside",
    "site_dir: .git": "leads into .git",
    "site_dir: pages": "should not be within",
    "site_dir: pillar": "which a new site would replace",
    "site_dir: master": "it is not a folder",
    "nav: &a [*a]": "Expected nav item",
    "nav: !!set {a}": "Expected nav to be a list",
    "site_url: 3": "site_url: Expected a string",
    f"edit_uri_template: '{{'\n{REPO}": "edit_uri_template: Single",
    f"edit_uri_template: '{{path:>9999999999999}}'\n{REPO}": "MkDocs cannot use this value",
    "markdown_extensions: [{smarty: {substitutions: 3}}]": "Failed to load extension 'smarty'",
    "markdown_extensions: ['os:system']": "is not one that pillarbook knows",
    "hooks: 3": "hooks run Python code",
    "exclude_docs: [3]": "Expected a multiline string",
    "validation: 3": "Expected a key-value mapping",
    "INHERIT: pages": "cannot read pages",
    "INHERIT: /dev/stdin": "leads outside",
    "copyright: !ENV HOME": "!ENV reads a variable",
    "extra: {a: !!bool x}": "cannot be read: it does not fit its tag",
    "extra: {a: !!timestamp x}": "cannot be read: it does not fit its tag",
    "extra: {a: 2020-13-45}": "cannot be read: month must be in 1..12",
    f"extra: {{a: 0x{'f' * 4000}}}": "an integer of more than 4,300 digits",
    f"extra: {DEEP}": "is nested too deeply",
    f"extra: {LONG}": TOO_LONG,
    LAUGHS: TOO_LONG,
    MERGES: TOO_LONG,
}
"""Lines of a MkDocs configuration, and a part of the sentence that refuses each."""

SECTIONS: Mapping[str, str] = {
    "environments: [base, base]": "is listed twice",
    "environments: [../../x]": "is not in pillar_roots",
    "environments: [{x: {pillar_roots: 3}}]": "'pillar_roots' is a number",
    "environments: [{x: 1, y: 2}]": "an environment must be a name",
    "revisions: {base: [a]}": "'revisions: base' is a list",
    "redact: {values: ['((']}": "is not a regular expression",
    "redact: {keys: ['']}": "has an empty pattern",
    "redact: {equality: 1}": "is a number",
    "rules: {missing-sls: fatal}": "it must be off, on, error, warning or note",
    "rules: {missing-sls: {ignore: 3}}": "is a number",
    "changes: {ignore: [{nope: 1}]}": "'changes: ignore: 0: nope' is not known",
    "decrypt: maybe": "'decrypt' is text",
    "renderers: [nope]": "'renderers: nope' is not known (known here: wempy)",
    "renderers: ['']": "'renderers: ' is not known",
    "functions: {a: 3}": "a function's name must be MODULE.FUNCTION",
    "ext_pillars: {a: {}}": "'ext_pillars: a' is a mapping",
    "paths: {srv: pillar}": "must be an absolute path of the master",
    "states: perhaps": "'states' is text",
    "clock: yesterday": "'clock' is text",
    "clock: 2020-13-45": "cannot be read: month must be in 1..12",
    "pages: {source: clear}": "it must be masked or none",
    "functions: {? [a] : 1}": "found unhashable key",
    'paths: {/srv: "a\\0b"}': "a character that no file can have",
    f"functions: {DEEP}": "is nested too deeply",
    f"redact: {{keys: {LONG}}}": TOO_LONG,
}
"""The same for options of the section."""

MASTERS: Mapping[str, str] = {
    "- a": "the master file is a list",
    "\0": "control characters are not allowed",
    "pillar_roots: [pillar]": "'pillar_roots' is a list",
    "pillar_roots: {1: [pillar]}": "an environment's name in 'pillar_roots' is a number",
    "pillar_roots: {base: [3]}": "a folder in 'pillar_roots: base' is a number",
    "renderer: 3": "'renderer' is a number",
    "nodegroups: 3": "'nodegroups' is a number",
    "state_top: 3": "'state_top' is a number",
    "a: 1\na: 2": "duplicate key 'a'",
    "a: !!python/object/apply:os.system [id]": "could not determine a constructor",
    f"a: {DEEP}": "is nested too deeply",
    f"a: {LONG}": TOO_LONG,
    MERGES: TOO_LONG,
}
"""The same for the master file."""

INVENTORIES: Mapping[str, str] = {
    "": "the inventory is empty",
    "minions: [a]": "'minions' is a list",
    "minions: {1: {}}": "a minion's id is a number",
    "minions: {a: {grains: nope.json}}": "the grains file nope.json does not exist",
    "minions: {a: {grains: /proc/self/environ}}": "leads out of the repository",
    "minions: {a: {grains: .git/config}}": "leads into .git",
    "minions: {a: {grains: pillar}}": "is a folder, where a file is needed",
    "minions: {a: {opts: 3}}": "'minions: a: opts' is a number",
    "minions: {a: {mine: 3}}": "'minions: a: mine' is a number",
    "minions: {a: &a {grains: *a}}": "a value that contains itself",
    "minions: {a: !!python/name:os.system x}": "could not determine a constructor",
    '{"minions": {"a": {"grains": {"x": ' + "9" * 5000 + "}}}}": "Exceeds the limit (4300 digits)",
    f"minions: {{a: {{grains: {{x: {DEEP}}}}}}}": "is nested too deeply",
}
"""The same for the inventory."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    before = {"site/index.html": "the last site", "site/.pillarbook-site": ""}
    write_files(tmp_path, {**TREE, **before, ".git/config": "", ".git/HEAD": ""})
    return tmp_path


def with_line(line: str) -> str:
    """Return the configuration with another line, which replaces that of the same option."""
    option = line.partition(":")[0] + ":"
    kept = [one for one in CONFIGURATION.splitlines() if not one.startswith(option)]
    return "\n".join([*kept, line, ""])


def find_wrong(
    tree: Path,
    file: str,
    rows: Mapping[str, str],
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> dict[str, str]:
    """Return what was printed for the texts that are not refused as they have to be."""
    wrong = {}
    for text, expected in rows.items():
        (tree / file).write_text(text)
        before = files_of(tree)
        capsys.readouterr()
        code = run([command])
        out, err = capsys.readouterr()
        is_sentence = err.count("\n") == 1 and expected in err and "internal error" not in err
        if (code, out, is_sentence, files_of(tree)) != (1, "", True, before):
            wrong[text[:80]] = f"{code}: {err[:400]}"
    return wrong


def test_options_of_mkdocs(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {with_line(line): expected for line, expected in OPTIONS.items()}
    assert not find_wrong(tree, "mkdocs.yml", rows, "build", capsys)


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["build", "check"])
def test_options_of_the_section(
    command: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {
        CONFIGURATION.replace(SECTION, f"{SECTION}      {line}\n"): expected
        for line, expected in SECTIONS.items()
    }
    assert not find_wrong(tree, "mkdocs.yml", rows, command, capsys)


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["build", "compile"])
def test_master_files(command: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not find_wrong(tree, "master", MASTERS, command, capsys)


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["build", "compile"])
def test_inventories(command: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not find_wrong(tree, "minions.yml", INVENTORIES, command, capsys)


def test_a_name_of_two_lines_is_told_on_one(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIGURATION.replace("master: master", 'master: "a\\n::error::b"')
    rows = {text: "names a ::error::b, which does not exist"}
    assert not find_wrong(tree, "mkdocs.yml", rows, "check", capsys)
