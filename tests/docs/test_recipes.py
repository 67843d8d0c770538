"""The scripts that make inventories of other systems run on answers of the right shape."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.docs.not_run import RECIPES
from tests.docs.pages import GUIDE, read_blocks

from pillarbook.bootstrap.import_minions import read_source

PAGE = GUIDE / "inventory-sources.md"
EXPECTED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "netbox_minions.py": (
        ("devices.json", "machines.json"),
        {
            "db1.ams.example.net": {
                "role": "db",
                "site": "ams",
                "platform": "debian-12",
                "tags": ["postgres"],
                "ipv4": ["192.0.2.21"],
            },
            "web1.example.com": {
                "role": "web",
                "site": "ams",
                "platform": "debian-12",
                "tags": [],
                "ipv4": ["192.0.2.11"],
            },
            "web2.example.com": {"tags": ["canary"]},
        },
    ),
    "terraform_minions.py": (
        ("state.json",),
        {
            "cache1.example.com": {"roles": "cache", "env": "prod", "ipv4": ["10.0.1.31"]},
            "web1.example.com": {"roles": "web", "ipv4": ["192.0.2.11"]},
            "web2.example.com": {"ipv4": ["192.0.2.12"]},
        },
    ),
    "uyuni_minions.py": (
        ("ids.json", "web.json", "db.json"),
        {"app1.example.com": {"groups": ["web"]}, "db1.example.com": {"groups": ["db"]}},
    ),
}


@pytest.mark.parametrize("script", EXPECTED)
def test_a_recipe_makes_a_dump(script: str, tmp_path: Path) -> None:
    (block,) = (one for one in read_blocks(PAGE) if one.file == script)
    answers, expected = EXPECTED[script]
    made = subprocess.run(
        [sys.executable, "-c", block.text, *answers], cwd=RECIPES, capture_output=True, check=True
    )
    (tmp_path / "made.json").write_bytes(made.stdout)
    minions = read_source(tmp_path / "made.json").minions
    assert {one.id: one.grains for one in minions} == expected
    assert b"hunter2" not in made.stdout
