"""What tests of commands have in common."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.capture import CaptureResult
from tests.support.invoked import Printed

from pillarbook.cli.main import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "tree"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    def call(words: Sequence[str], code: int = 0) -> CaptureResult[str]:
        assert run(words) == code
        return capsys.readouterr()

    return call
