"""What code of the tree opens by itself is the working tree's on both sides, and that is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

MASTER = "pillar_roots: {{base: [pillar]}}\nfile_roots: {{base: [states]}}\n"
OPENS = "from pathlib import Path\nDATA = Path({root!r}) / 'data/x.yml'\n"
CODE = OPENS + "def run():\n    return {{'x': DATA.read_text().strip()}}\n"
TREE = {
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
    "minions.yml": "minions: {a: {}}\n",
    "mkdocs.yml": "site_name: x\nplugins:\n  - pillarbook: {master: master,"
    " inventory: minions.yml, python: true, revisions: {base: HEAD}}\n",
    "docs/index.md": "# x\n",
    "pillar/top.sls": "base: {'*': [main]}\n",
    "data/x.yml": "one\n",
    "data/y.yml": "one\n",
}
WAYS = {
    "an SLS": {"pillar/main.sls": "#!py\n" + CODE},
    "a template of mako": {
        "pillar/main.sls": "#!mako|yaml\n<% data = __import__('pathlib').Path({root!r}, 'data/x.yml').read_text() %>\nx: ${{data}}\n"
    },
    "a module": {
        "pillar/main.sls": "x: {{{{ salt['own.read']() }}}}\n",
        "states/_modules/own.py": OPENS + "def read():\n    return DATA.read_text().strip()\n",
    },
    "an external pillar": {
        "master": MASTER + "extension_modules: ext\next_pillar: [{{own: []}}]\n",
        "pillar/main.sls": "{{}}\n",
        "ext/pillar/own.py": OPENS
        + "def ext_pillar(minion_id, pillar, *args):\n    return {{'x': DATA.read_text().strip()}}\n",
    },
}
SAID = (
    "data/x.yml is opened by code of the tree, which reads it from disk for both sides,"
    " so its changes are not compared"
)


def lay(folder: Path, files: dict[str, str]) -> Path:
    """Write the tree and commit it, and change the data afterwards."""
    made = {name: text.format(root=str(folder)) for name, text in files.items()}
    write_files(folder, {**TREE, **made})
    git(folder, "init", "-q")
    commit_all(folder)
    (folder / "data/x.yml").write_text("two\n")
    return folder


def diff(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["diff", "--exit-code", "-f", str(folder / "mkdocs.yml"), "--trust", *words])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


@pytest.mark.sample(2)
@pytest.mark.parametrize("files", WAYS.values(), ids=WAYS)
def test_what_code_opens_is_not_compared(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, files)
    for form in ("text", "json", "minions"):
        code, said = diff(folder, capsys, "--format", form)
        assert code == 2  # nobody knows whether something changed
        assert SAID in said
    (folder / "pillar/top.sls").write_text("base: {'*': [main, more]}\n")
    (folder / "pillar/more.sls").write_text("more: 1\n")
    code, said = diff(folder, capsys)
    assert code == 2
    assert SAID in said
    assert "no effect" not in said  # of the data nobody knows
    told: Any = json.loads(diff(folder, capsys, "--format", "json")[1])
    assert [one["file"] for one in told["idle"]] == []


@pytest.mark.parametrize("rules", ["off", "{ignore: {files: ['*']}}", "{ignore: {minions: ['*']}}"])
def test_a_rule_that_is_off_does_not_make_it_compared(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    file = folder / "mkdocs.yml"
    file.write_text(
        file.read_text().replace("python:", f"rules: {{opens-files: {rules}}}, python:")
    )
    for form in ("text", "json", "minions"):
        assert SAID in diff(folder, capsys, "--format", form)[1]


def test_a_file_that_is_the_same_on_both_sides_is_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    (folder / "data/x.yml").write_text("one\n")
    (folder / "data/y.yml").write_text("two\n")  # nobody opens it
    assert "opened by code" not in diff(folder, capsys)[1]


def test_two_commits_are_compared_beside_the_working_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    commit_all(folder)
    (folder / "data/x.yml").write_text("three\n")
    assert SAID in diff(folder, capsys, "HEAD~1", "HEAD")[1]


@pytest.mark.parametrize(
    "files",
    [
        {
            "pillar/main.sls": "#!py\nimport subprocess\ndef run():\n"
            "    return {{'x': subprocess.check_output(['cat', {root!r} + '/data/x.yml']).decode()}}\n"
        },
        {
            "master": MASTER + "ext_pillar: [{{cmd_json: 'cat data/x.json'}}]\n",
            "data/x.json": '{{"x": 1}}',
            "pillar/main.sls": "{{}}\n",
        },
    ],
    ids=["code", "an external pillar"],
)
def test_what_programs_open_is_not_known(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, files)
    said = diff(folder, capsys)[1]
    assert "code of the tree starts programs, which read the files from disk for both sides" in said


def test_what_salts_functions_read_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "#!py\ndef run():\n    return __salt__['slsutil.renderer']('salt://d.yml')\n"
    files = {
        "pillar/main.sls": text.replace("{", "{{").replace("}", "}}"),
        "states/d.yml": "x: one\n",
    }
    folder = lay(tmp_path, files)
    (folder / "states/d.yml").write_text("x: two\n")
    code, said = diff(folder, capsys)
    assert code == 2
    assert "opened by code" not in said
    assert '"one" -> "two"' in said


def test_the_report_says_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    assert run(["build", "-f", str(folder / "mkdocs.yml"), "--trust"]) == 0
    capsys.readouterr()
    page = (folder / "site/changes/index.html").read_text()
    assert "is opened by code of the tree" in page


def test_a_file_that_no_revision_holds_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("one\n")
    read = f"Path({str(outside)!r}).read_text()"
    code = f"#!py\nfrom pathlib import Path\ndef run():\n    return {{{{'x': {read}}}}}\n"
    folder = lay(tmp_path / "repository", {"pillar/main.sls": code})
    commit_all(folder)
    (folder / "pillar/main.sls").write_text(code.format() + "# more\n")
    commit_all(folder)
    told = ""
    for sides in ((), ("HEAD~1..HEAD",)):
        _, told = diff(folder, capsys, "--expect-none", *sides)
        assert "Not proven to change nothing" in told
    assert "opened files that no revision holds" in told
