"""``pillarbook init`` where it ran before: what was written or edited stays."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.first_trees import PLAIN, Tree, write

from pillarbook.cli.main import run


@pytest.mark.parametrize("ours", [{}, {"mkdocs.yml": "site_name: ours\n"}], ids=["alone", "beside"])
def test_a_second_run_writes_nothing(
    ours: Tree, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {**PLAIN, **ours})
    assert run(["init"]) == 0
    before = contents(folder)
    configuration = "pillarbook.yml" if ours else "mkdocs.yml"
    capsys.readouterr()
    assert run(["init"]) == 0
    out = capsys.readouterr().out
    assert f"{configuration} exists; nothing is written" in out
    assert run(["init", "nowhere"]) == 1
    assert "nowhere: the master file does not exist" in capsys.readouterr().err
    assert contents(folder) == before


def test_pages_of_an_earlier_run_are_used_again(folder: Path) -> None:
    write(folder, PLAIN)
    assert run(["init"]) == 0
    before = contents(folder)
    (folder / "pages" / "index.md").write_text("ours\n")
    (folder / "mkdocs.yml").unlink()
    assert run(["init"]) == 0
    assert contents(folder) == {**before, "pages/index.md": "ours\n"}


def test_what_init_says_of_guessed_minions_can_be_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, PLAIN)
    assert run(["init"]) == 0
    before = (folder / "minions.yml").read_text()
    (command,) = re.findall(r"`pillarbook (inventory import [^`]*)`", capsys.readouterr().out)
    write(folder, {"grains.json": json.dumps({"real1": {"os": "Debian"}})})
    assert run([*command.split(), "--yes"]) == 0
    after = (folder / "minions.yml").read_text()
    head, _, _ = before.partition("  web1:")
    assert after == f"{head}  real1: {{grains: minions.grains.json}}\n"
    assert run(["explain", "real1"]) == 0


def contents(folder: Path) -> dict[str, str]:
    """Return the texts of all files but those of git."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text() for path in files}
