"""What the tests of ``init`` have in common."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "tree"
    place.mkdir()
    monkeypatch.chdir(place)
    return place
