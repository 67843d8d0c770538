"""Each YAML block of a page is accepted by what would read it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.docs.pages import Block, read_blocks, user_pages

from pillarbook.changes.read_acknowledgements import FILE, parse_acknowledgements
from pillarbook.inventory.master import load_master
from pillarbook.inventory.minions import load_inventory
from pillarbook.inventory.reach import Reach
from pillarbook.inventory.settings import OPTIONS, load_settings, parse_settings
from pillarbook.model import Position

BLOCKS = [block for page in user_pages() for block in read_blocks(page) if block.language == "yaml"]
CI_FILES = (".github/", ".gitlab-ci", ".pre-commit-config")
REQUIRED = {"master": "master", "inventory": "minions.yml"}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_yaml_is_accepted(block: Block, tmp_path: Path) -> None:
    data = yaml.safe_load(block.text)
    reader = find_reader(block, data)
    assert reader is not None, "nothing of pillarbook, Salt or a CI reads this"
    reader(block, data, tmp_path)


Reader = Callable[[Block, Any, Path], None]


def find_reader(block: Block, data: Any) -> Reader | None:
    """Return what checks a block; its content says what it is."""
    if block.file == FILE:
        return accept_acknowledgements
    if not isinstance(data, Mapping):
        return None
    keys = set(data)
    kinds: tuple[tuple[bool, Reader], ...] = (
        (block.file == "master", accept_master),
        ("plugins" in keys, accept_mkdocs),
        (keys <= {"minions", "defaults"}, accept_inventory),
        (keys <= set(OPTIONS), accept_section),
        ((block.file or "").startswith(CI_FILES), accept_ci),
        ((block.file or "").startswith("answers/"), accept_answers),
        (bool(keys) and keys <= {"theme", "extra_css"}, accept_ci),
    )
    return next((reader for fits, reader in kinds if fits), None)


def accept_master(block: Block, _data: Any, folder: Path) -> None:
    """Read a master file; the page of a rule may show one that the rule finds fault with."""
    file = folder / "master"
    file.write_text(block.text)
    _, found = load_master(file, reach=Reach((folder,)))
    assert {one.code for one in found} <= {"missing-root", block.page.stem}


def accept_mkdocs(block: Block, _data: Any, folder: Path) -> None:
    file = folder / "mkdocs.yml"
    file.write_text(block.text)
    load_settings(file)


def accept_acknowledgements(block: Block, data: Any, _folder: Path) -> None:
    ids, faults = parse_acknowledgements(block.text.encode())
    assert (len(ids), list(faults)) == (len(data), [])


def accept_answers(_block: Block, data: Any, _folder: Path) -> None:
    """Look at a file of answers; a test of external pillars reads such ones."""
    assert all(isinstance(answer, Mapping) for answer in data.values())


def accept_section(_block: Block, data: Any, folder: Path) -> None:
    parse_settings(
        {**REQUIRED, **data}, position_of=lambda _: Position("mkdocs.yml", 1), folder=folder
    )


def accept_inventory(block: Block, data: Any, folder: Path) -> None:
    """Read an inventory, with a file for each that its minions name."""
    for entry in data.get("minions", {}).values():
        if entry and isinstance(entry.get("grains"), str):
            file = folder / entry["grains"]
            file.parent.mkdir(exist_ok=True)
            file.write_text("{}")
    file = folder / "minions.yml"
    file.write_text(block.text)
    assert load_inventory([file], shown=str)


def accept_ci(_block: Block, _data: Any, _folder: Path) -> None:
    """Take what MkDocs or a CI reads: it is YAML."""
