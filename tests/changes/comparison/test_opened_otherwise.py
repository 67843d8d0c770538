"""What is said of files that code of the tree opens in another way, and of links and names."""

from pathlib import Path

import pytest
from tests.support.opened_trees import MASTER, WAYS, diff, lay


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
    assert "code of the tree starts programs or imports Python files" in said


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "read",
    {
        "a thread": "import threading; other = threading.Thread(target=lambda: open(PATH).close()); other.start(); other.join()",
        "a copy of the process": "os.fork() or os._exit(0)",
        "another function": "import io; io.FileIO(PATH).close()",
        "the module below": "import posix; posix.listdir(os.path.dirname(PATH))",
        "kept by Python": "import tokenize; tokenize.open(PATH).close()",
        "also to write": "open(PATH, 'r+').close()",
        "an address": "import sqlite3; sqlite3.connect(f'file:{{PATH}}?mode=ro', uri=True).close()",
    }.values(),
)
def test_another_way_to_open_a_file_is_said(
    read: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = f"#!py\nimport os\nPATH = {{root!r}} + '/data/x.yml'\ndef run():\n    {read}\n"
    folder = lay(tmp_path, {"pillar/main.sls": code + "    return {{'x': 1}}\n"})
    result, said = diff(folder, capsys)
    assert result == 2
    assert "reads files in a way that cannot be followed" in said


SAME = """#!py
import os, pathlib, sqlite3
HERE = {root!r}
def scan(folder):
    return {{
        member.path: scan(member.path) if member.is_dir(follow_symlinks=False) else member.is_symlink()
        for member in os.scandir(folder)
    }}
def run():
    sqlite3.connect(":memory:").close()
    with os.scandir(HERE) as members, open(HERE + "/data/x.yml") as text, open(text.name, "rb") as raw:
        named = [sorted(os.fspath(one) for one in members), text.name, raw.name]
    missing = []
    for path in ("", "a\\0b", "a" * 5000):
        try:
            open(path)
        except (OSError, ValueError) as error:
            missing.append(str(error))
    return {{
        "named": named,
        "scanned": scan(HERE + "/data"),
        "walked": [[here, sorted(names)] for here, _, names, _ in os.fwalk(HERE + "/data")],
        "names": sorted(os.listdir(HERE)),
        "link": [os.path.islink(HERE + "/data/link"), os.readlink(HERE + "/data/link")],
        "real": [os.path.realpath(HERE + "/data/" + one + "/x.yml") for one in ("link", "round", ".")],
        "found": str(pathlib.Path(HERE, "data/link").resolve()),
        "missing": missing,
    }}
"""


def test_names_and_links_are_the_same_on_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/link").symlink_to("x.yml")
    (tmp_path / "data/round").symlink_to("../data")
    folder = lay(tmp_path, {"pillar/main.sls": SAME, "data/sub/deep/one.txt": "one\n"})
    said = diff(folder, capsys)[1]
    assert "Pillar: no change on 1 minion\n" in said
    assert "pb-private" not in said
    assert ":memory:" not in said
    assert "cannot be followed" not in said


def test_a_file_that_is_read_through_a_link_is_the_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/link").symlink_to("x.yml")
    code = WAYS["an SLS"]["pillar/main.sls"].replace("data/x.yml", "data/link")
    said = diff(lay(tmp_path, {"pillar/main.sls": code}), capsys)[1]
    assert "because of data/x.yml:1" in said
