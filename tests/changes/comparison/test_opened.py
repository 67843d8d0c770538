"""What code of the tree opens by itself is read as each side has it; if nobody can, that is said."""

import contextlib
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests.support.opened_trees import WAYS, diff, lay
from tests.support.repositories import commit_all

from pillarbook.cli.main import run


@pytest.mark.sample(1)
@pytest.mark.parametrize("files", WAYS.values(), ids=WAYS)
def test_what_code_opens_is_compared(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, files)
    code, said = diff(folder, capsys)
    assert code == 2
    assert 'x: "one" -> "two"' in said
    assert "data/x.yml:1" in said
    assert "not compared" not in said
    told: Any = json.loads(diff(folder, capsys, "--format", "json")[1])
    (atom,) = told["atoms"]
    assert [cause["file"] for cause in atom["because"]] == ["data/x.yml"]
    assert atom["proven"]


def test_a_file_that_is_the_same_on_both_sides_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    (folder / "data/x.yml").write_text("one\n")
    (folder / "data/y.yml").write_text("two\n")  # nobody opens it
    code, said = diff(folder, capsys, "--expect-none")
    assert code == 0
    assert "Proven to change nothing" in said


def test_the_master_file_may_be_in_another_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The opened file is held by the commit, though not below the folder of the master file."""
    files = {"etc/master": "pillar_roots: {{base: [../pillar]}}\n", **WAYS["an SLS"]}
    folder = lay(tmp_path, files)
    file = folder / "mkdocs.yml"
    file.write_text(file.read_text().replace("master: master", "master: etc/master"))
    commit_all(folder)
    (folder / "minions.yml").write_text("# more\nminions: {a: {}}\n")
    assert "Proven to change nothing" in diff(folder, capsys, "--expect-none")[1]


def test_two_commits_are_compared_beside_the_working_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    commit_all(folder)
    (folder / "data/x.yml").write_text("three\n")
    assert 'x: "one" -> "two"' in diff(folder, capsys, "HEAD~1", "HEAD")[1]
    assert (folder / "data/x.yml").read_text() == "three\n"


READS = """#!py
import configparser, glob, io, json, os, pathlib, sqlite3
HERE = {root!r}
def run():
    data = pathlib.Path(HERE, "data")
    with os.fdopen(os.open(str(data / "x.yml"), os.O_RDONLY)) as file:
        opened = file.read()
    with io.open(data / "x.yml", "rb") as file:
        raw = file.read()
    try:
        open(data / "nothing.txt")
    except FileNotFoundError as error:
        missing = str(error)
    database = sqlite3.connect(str(data / "hosts.db"))
    hosts = [name for (name,) in database.execute("select name from hosts")]
    database.close()
    memory = sqlite3.connect(":memory:")
    memory.execute("create table one (name text)")
    memory.close()
    return {{
        "opened": opened,
        "names": sorted(os.listdir(data)),
        "found": sorted(glob.glob(str(data / "*.new"))),
        "walked": sorted(name for _, _, names in os.walk(os.fsencode(data)) for name in names),
        "exists": [os.path.exists(data / "x.new"), (data / "sub/deep.txt").is_file()],
        "size": os.stat(data / "x.yml").st_size,
        "real": os.path.realpath(data / "x.yml"),
        "file": __file__,
        "missing": missing,
        "hosts": hosts,
        "bytes": [len(raw), (data / "x.yml").stat().st_size],
    }}
"""


def test_each_way_to_open_a_file_gives_that_of_the_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill(names: tuple[str, ...]) -> None:
        with sqlite3.connect(tmp_path / "data/hosts.db") as database:
            database.execute("create table if not exists hosts (name text)")
            database.executemany("insert into hosts values (?)", [(name,) for name in names])
        database.close()

    (tmp_path / "data").mkdir()
    fill(("web1",))
    folder = lay(tmp_path, {"pillar/main.sls": READS, "data/sub/deep.txt": "deep\n"})
    fill(("web2",))
    (folder / "data/x.new").write_text("new\n")
    (folder / "data/x.yml").write_text("seven\n")
    (folder / "data/sub/deep.txt").unlink()
    told: Any = json.loads(diff(folder, capsys, "--format", "json")[1])
    changed = {
        "/".join(map(str, atom["path"])): (atom.get("before"), atom.get("after"))
        for atom in told["atoms"]
    }
    assert not (folder / ":memory:").exists()
    assert changed.pop("opened") == ("one\n", "seven\n")
    assert changed.pop("size") == (4, 6)
    assert {path.split("/")[0] for path in changed} == {
        *("names", "found", "walked", "exists", "hosts", "bytes")
    }


def test_no_copy_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    make = tempfile.mkdtemp

    def note(*given: Any, **named: Any) -> str:
        made.append(Path(make(*given, **named)))
        return str(made[-1])

    monkeypatch.setattr(tempfile, "mkdtemp", note)
    diff(lay(tmp_path, WAYS["a module"]), capsys)
    copies = [one for one in made if one.name.startswith("pb-private-")]
    assert copies
    assert not any(one.exists() for one in copies)


def test_a_file_without_a_part_of_its_changes_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "#!py\nimport json, pathlib\ndef run():\n"
    code += "    return json.loads(pathlib.Path({root!r}, 'data/hosts.json').read_text())\n"
    lines = ["{{", *(f'"k{number}": 1,' for number in range(20)), '"z": 1', "}}"]
    files = {"pillar/main.sls": code, "data/hosts.json": "\n".join(lines)}
    folder = lay(tmp_path, files)
    data = folder / "data/hosts.json"
    data.write_text(data.read_text().replace('"k2": 1', '"k2": 2').replace('"k18": 1', '"k18": 2'))
    told: Any = json.loads(diff(folder, capsys, "--format", "json")[1])
    assert {
        (atom["path"][0], *((one["file"], one["line"]) for one in atom["because"]))
        for atom in told["atoms"]
    } == {("k2", ("data/hosts.json", 4)), ("k18", ("data/hosts.json", 20))}


@pytest.mark.sample(1)
@pytest.mark.parametrize("rules", ["off", "{ignore: {files: ['*']}}", "{ignore: {minions: ['*']}}"])
def test_a_rule_that_is_off_does_not_make_it_compared(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "#!py\nimport sys\nsys.path.insert(0, {root!r} + '/lib')\n"
    code += "def run():\n    import pb_own_hosts\n    return {{'x': pb_own_hosts.NAMES}}\n"
    folder = lay(tmp_path, {"pillar/main.sls": code, "lib/pb_own_hosts.py": "NAMES = ['a']\n"})
    file = folder / "mkdocs.yml"
    file.write_text(
        file.read_text().replace("python:", f"rules: {{opens-files: {rules}}}, python:")
    )
    for form in ("text", "json", "minions"):
        sys.modules.pop("pb_own_hosts", None)
        result, said = diff(folder, capsys, "--format", form)
        assert result == 2
        assert "code of the tree starts programs or imports Python files" in said


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


def test_the_report_compares_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay(tmp_path, WAYS["an SLS"])
    assert run(["build", "-f", str(folder / "mkdocs.yml"), "--trust"]) == 0
    capsys.readouterr()
    page = (folder / "site/changes/index.html").read_text()
    assert "data/x.yml" in page
    assert "not compared" not in page


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


def test_code_opens_paths_of_the_master_where_they_are_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "#!py\nimport os\ndef run():\n    root = __opts__['pillar_roots']['base'][0]\n"
    code += "    with open(os.path.join(root, 'data.txt')) as file:\n"
    code += "        return {{'root': root, 'x': file.read().strip(), 'names': os.listdir(root)}}\n"
    files = {"master": "pillar_roots: {{base: [/srv/pillar]}}\n", "pillar/main.sls": code}
    folder = lay(tmp_path, {**files, "pillar/data.txt": "one\n"})
    file = folder / "mkdocs.yml"
    file.write_text(file.read_text().replace("python:", "paths: {/srv/pillar: pillar}, python:"))
    commit_all(folder)
    declared = ("-f", str(file), "--trust")
    assert run(["compile", *declared]) == 0
    told = json.loads(capsys.readouterr().out)["a"]
    assert (told["root"], told["x"]) == ("/srv/pillar", "one")
    assert sorted(told["names"]) == ["data.txt", "main.sls", "top.sls"]
    (folder / "pillar/data.txt").write_text("two\n")
    assert 'x: "one" -> "two"' in diff(folder, capsys)[1]


def test_a_later_session_of_the_process_notes_what_code_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python's functions stay wrapped after a session that gave code its files."""
    folder = lay(tmp_path, WAYS["an SLS"])
    diff(folder, capsys)
    assert run(["check", "-f", str(folder / "mkdocs.yml"), "--trust"]) == 0
    assert "SLS 'main' opens files itself: data/x.yml" in capsys.readouterr().out


def test_a_database_that_is_named_by_an_address_is_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "#!py\nimport sqlite3\ndef run():\n"
    code += "    connection = sqlite3.connect('file:' + {root!r} + '/x.db?mode=ro', uri=True)\n"
    code += "    return dict(connection.execute('select * from pairs'))\n"
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db")) as database, database:
        database.execute("create table pairs (name text, value text)")
        database.execute("insert into pairs values ('x', 'one')")
    folder = lay(tmp_path, {"pillar/main.sls": code})
    assert "not compared" in diff(folder, capsys)[1]
