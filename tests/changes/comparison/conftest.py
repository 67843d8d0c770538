"""A repository for tests that open two sides of it."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.sides import FILES, MINIONS, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a fleet that is not committed yet."""
    folder = tmp_path / "r"
    write_fleet(folder, FILES, MINIONS)
    start(folder)
    return folder
