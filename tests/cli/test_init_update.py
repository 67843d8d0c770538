"""``init --update`` and ``inventory import --replace-guessed`` show lines, ask, and keep edits."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from tests.cli.first_trees import PLAIN, envs, write
from tests.cli.test_init_again import contents
from tests.support.invoked import Printed

from pillarbook.cli import write_first_files
from pillarbook.cli.main import run

GROWN = {
    "pillar/top.sls": "base:\n  'web*': [nginx]\n  'db*': [db]\n",
    "pillar/nginx.sls": "nginx: {{ grains['tier'] }}\n",
    "pillar/db.sls": "db: {% import_yaml '/srv/data/x.yaml' as x %}{{ x.a }}\n",
    "data/x.yaml": "a: 1\n",
}
OURS = "  ours:\n    grains: {os: Debian}   # mine\n"


@pytest.fixture
def edited(folder: Path) -> Path:
    """Return a folder with the files of ``init``, edited, and a tree that has grown."""
    write(folder, {**PLAIN, "pillar/top.sls": "base:\n  'web*': [nginx]\n"})
    assert run(["init"]) == 0
    inventory, config = folder / "minions.yml", folder / "mkdocs.yml"
    inventory.write_text(f"# ours\n{inventory.read_text()}    pillarenv: base\n\n{OURS}# the end\n")
    config.write_text(config.read_text().replace("site_name: tree", "site_name: Ours  # mine"))
    write(folder, GROWN, git=False)
    return folder


def test_what_is_new_is_added_and_nothing_else(
    edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(edited)
    assert run(["init", "--update", "--yes"]) == 0
    after = contents(edited)
    assert {name for name in after if after[name] != before.get(name)} == {
        "minions.yml",
        "mkdocs.yml",
    }
    for name, text in before.items():
        lines = iter(after[name].splitlines())
        assert all(line in lines for line in text.splitlines())
    minions = yaml.safe_load(after["minions.yml"])["minions"]
    assert minions["web1"] == {"guessed": True, "pillarenv": "base", "grains": {"tier": "example"}}
    assert (minions["ours"], minions["db1"]) == ({"grains": {"os": "Debian"}}, {"guessed": True})
    assert "/srv/data: data" in after["mkdocs.yml"]
    assert "grains: {os: Debian}" not in capsys.readouterr().out
    assert run(["get", "db"]) == 0
    assert run(["init", "--update"]) == 0
    assert "Nothing is new" in capsys.readouterr().out
    assert contents(edited) == after


def test_without_a_terminal_nothing_is_written(edited: Path, printed: Printed) -> None:
    before = contents(edited)
    told = printed(["init", "--update"], 1)
    assert "+  db1:" in told.out
    assert "give --yes" in told.err
    assert contents(edited) == before


MESSY = {
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "no last line end": lambda text: text.rstrip("\n"),
    "a tab before a comment": lambda text: text.replace("   # mine", "\t# mine"),
    "anchors": lambda text: text.replace("{os: Debian}", "&g {os: Debian}").replace(
        "# the end", "  other:\n    grains: *g\n# the end"
    ),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("edit", MESSY.values(), ids=MESSY)
def test_what_is_written_otherwise_stays(edit: Callable[[str], str], edited: Path) -> None:
    inventory = edited / "minions.yml"
    text = edit(inventory.read_text())
    inventory.write_bytes(text.encode())
    assert run(["init", "--update", "--yes"]) == 0
    after = inventory.read_bytes().decode()
    lines = iter(after.splitlines())
    assert all(line in lines for line in text.splitlines())
    assert ("\r\n" in text) == ("\r\n" in after)
    assert after.count("\r") in (0, after.count("\n"))
    assert "db1" in after


def test_a_configuration_that_is_broken_is_told(edited: Path, printed: Printed) -> None:
    with (edited / "mkdocs.yml").open("a") as config:
        config.write("extra: [\n")
    before = contents(edited)
    for words in (["init"], ["init", "--update", "--yes"]):
        assert "mkdocs.yml:" in printed(words, 1).err
    assert contents(edited) == before


def test_a_file_that_changes_while_somebody_reads_is_kept(
    edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(*_: object, **__: object) -> bool:
        (edited / "minions.yml").write_text("minions: {new: {}}\n")
        return True

    monkeypatch.setattr(write_first_files, "ask_changes", change)
    assert run(["init", "--update"]) == 1
    assert (edited / "minions.yml").read_text() == "minions: {new: {}}\n"


def test_a_confirmed_fleet_gets_no_minion(folder: Path) -> None:
    write(folder, PLAIN)
    assert run(["init"]) == 0
    inventory = folder / "minions.yml"
    inventory.write_text(re.sub(" *guessed: true\n", "", inventory.read_text()))
    write(folder, GROWN, git=False)
    before = inventory.read_text()
    assert run(["init", "--update", "--yes"]) == 0
    assert inventory.read_text() == before


def test_a_new_environment_gets_its_roots(folder: Path) -> None:
    write(folder, envs(("base", "prod")))
    assert run(["init"]) == 0
    write(folder, envs(("base", "dev", "prod")), git=False)
    assert run(["init", "--update", "--yes"]) == 0
    roots = yaml.safe_load((folder / "pillarbook.master").read_text())["pillar_roots"]
    assert roots == {"base": ["pillar/base"], "prod": ["pillar/prod"], "dev": ["pillar/dev"]}


def test_guessed_minions_are_replaced_by_imported_ones(edited: Path) -> None:
    assert run(["init", "--update", "--yes"]) == 0
    write(edited, {"g.json": json.dumps({"web1": {"tier": "a"}, "new": {"os": "x"}})}, git=False)
    assert run(["inventory", "import", "g.json", "--replace-guessed"]) == 1
    assert run(["inventory", "import", "g.json", "--replace-guessed", "--yes"]) == 0
    text = (edited / "minions.yml").read_text()
    imported = {"grains": "minions.grains.json"}
    assert yaml.safe_load(text)["minions"] == {
        "web1": {**imported, "pillarenv": "base"},
        "ours": {"grains": {"os": "Debian"}},
        "new": imported,
    }
    assert OURS in text
    assert text.startswith("# ours\n")
    assert text.endswith("# the end\n")


def test_yes_alone_is_no_answer(folder: Path, printed: Printed) -> None:
    write(folder, PLAIN)
    assert "--yes goes with --update" in printed(["init", "--yes"], 1).err
