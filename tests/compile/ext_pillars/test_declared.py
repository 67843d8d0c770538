"""External pillars answered from files, and those of installed packages: the guide's example."""

import importlib
import json
import zipfile
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from hatchling.build import build_wheel
from tests.docs.pages import GUIDE, read_sections
from tests.support.fleets import write_files

from pillarbook.inventory.settings import Settings
from pillarbook.model import leaves, plain
from pillarbook.session import RunOptions, open_session

SLS = {"pillar/top.sls": "base:\n  '*': [p]\n", "pillar/p.sls": "p: 1\n"}
MINIONS = "minions: {web1: {grains: {rack: r1}}, db1: {}}\n"


def compiled_of(
    folder: Path,
    files: Mapping[str, str],
    *,
    options: RunOptions | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Return data, places, errors, outcome, and what was said of each minion."""
    write_files(folder, {**SLS, "minions.yml": MINIONS, **files})
    declared = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder, **settings
    )
    found = {}
    with open_session(declared, options) as session:
        for minion in session.fleet.minions:
            one = session.compiler.compile(minion)
            found[minion] = {
                "data": plain(one.tree),
                "places": {
                    ":".join(map(str, path)): [f"{at.file}:{at.line}" for at in origins]
                    for path, _, origins in leaves(one.tree)
                },
                "said": [(at.code, at.message) for at in one.diagnostics],
                "outcome": one.outcome,
                "shown": json.dumps(session.shown.texts.tagged(session.shown.redact(one))),
            }
        found["book"] = {"said": [(at.code, at.message) for at in session.shown.diagnostics]}
    return found


MASTER = {"master": "pillar_roots: {base: [pillar]}\next_pillar:\n  - vault: a\n"}
ANSWERS = """\
'*':
  db: {host: h, ports: [1]}
  p: 2
web*:
  db: {password: hunter2, ports: [2]}
nobody: {x: 1}
db1:
"""


def test_all_globs_that_match_answer_in_order(tmp_path: Path) -> None:
    files = {**MASTER, "answers/vault.yml": ANSWERS}
    found = compiled_of(tmp_path, files, ext_pillars={"vault": "answers/vault.yml"})
    web = found["web1"]
    assert web["data"] == {"p": 2, "db": {"host": "h", "ports": [2], "password": "hunter2"}}
    assert web["places"] == {
        "p": ["pillar/p.sls:1", "answers/vault.yml:3"],
        "db:host": ["answers/vault.yml:2"],
        "db:ports:0": ["answers/vault.yml:2", "answers/vault.yml:5"],
        "db:password": ["answers/vault.yml:5"],
    }
    assert web["said"] == []
    assert web["outcome"] == "ok"
    assert "hunter2" not in web["shown"]
    assert found["db1"]["data"] == {"p": 2, "db": {"host": "h", "ports": [1]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1\n", "answers.yml must be a mapping of minion globs to mappings"),
        ("'*': 5\n", "answers.yml must be a mapping of minion globs to mappings"),
        ("a: [\n", "answers.yml is not YAML: did not find expected node content"),
        (None, "answers.yml cannot be read: No such file or directory"),
    ],
)
def test_a_file_with_a_fault_is_told_of(tmp_path: Path, text: str | None, message: str) -> None:
    files = MASTER if text is None else {**MASTER, "answers.yml": text}
    found = compiled_of(tmp_path, files, ext_pillars={"vault": "answers.yml"})["web1"]
    assert found["said"] == [("ext-pillar-error", f"the external pillar 'vault' fails: {message}")]
    assert found["outcome"] == "partial"


def test_an_answer_comes_before_what_is_built_in(tmp_path: Path) -> None:
    master = "pillar_roots: {base: [pillar]}\next_pillar:\n  - git: [https://h/x]\n"
    files = {"master": master, "g.yml": "'*': {g: 1}\n"}
    found = compiled_of(tmp_path, files, ext_pillars={"git": "g.yml"})["db1"]
    assert found["data"] == {"p": 1, "g": 1}
    assert found["said"] == []


def test_answers_out_of_reach_do_not_count(tmp_path: Path) -> None:
    write_files(tmp_path, {"answers.yml": "'*': {x: 1}\n"})
    found = compiled_of(tmp_path / "in", MASTER, ext_pillars={"vault": "../answers.yml"})
    assert found["web1"]["data"] == {"p": 1}
    assert {code for code, _ in found["book"]["said"]} == {"needs-trust", "unavailable-ext-pillar"}


@pytest.fixture
def racks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the package that the guide shows; return its master file."""
    text = read_sections(GUIDE / "external-pillars.md")["Your own"]
    blocks = [block.partition("\n")[2] for block in text.split("```")[1::2]]
    files = {block.splitlines()[0].removeprefix("# "): block for block in blocks}
    project = write_files(tmp_path / "package", files)
    with chdir(project):
        wheel = build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        archive.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    importlib.invalidate_caches()
    return files["master"]


RACKS = "r1: {rack: {name: r1}}\n"


def test_the_package_of_the_guide_runs(tmp_path: Path, racks: str) -> None:
    files = {"master": racks, "racks.yml": RACKS}
    for memo in (True, False):
        options = RunOptions(python=True, memo=memo)
        found = compiled_of(tmp_path / "tree", files, options=options)
        assert found["web1"]["data"] == {"p": 1, "rack": {"name": "r1"}}
        assert found["web1"]["places"]["rack:name"] == ["racks.yml:1"]
        assert found["db1"]["data"] == {"p": 1, "rack": "unknown"}
        assert found["db1"]["places"]["rack"] == ["master:4"]
        assert found["db1"]["said"] == []


def test_an_installed_package_needs_trust(tmp_path: Path, racks: str) -> None:
    found = compiled_of(tmp_path / "tree", {"master": racks, "racks.yml": RACKS})["web1"]
    assert found["data"] == {"p": 1}
    assert found["said"] == [
        (
            "unavailable-ext-pillar",
            "the external pillar 'racks' is not run: it is code of an installed package",
        )
    ]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"master": "x"}, None),
        ({}, "racks.yml cannot be read: No such file or directory"),
    ],
)
def test_what_a_package_raises_is_an_error(
    tmp_path: Path, racks: str, given: dict[str, str], reason: str | None
) -> None:
    config = "../../secret.yml" if given else "racks.yml"
    files = {"master": racks.replace("racks.yml", config)}
    write_files(tmp_path, {"secret.yml": RACKS})
    found = compiled_of(tmp_path / "a/tree", files, options=RunOptions(python=True))["web1"]
    assert found["outcome"] == "partial"
    (code, message), *_ = found["said"]
    assert code == "ext-pillar-error"
    assert reason is None or message == f"the external pillar 'racks' fails: {reason}"
    assert found["data"].keys() == {"p", "_errors"}
