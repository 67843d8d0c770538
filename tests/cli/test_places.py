"""Names of files as people in a folder of the repository open them."""

from pathlib import Path

import pytest

from pillarbook.cli import value_text
from pillarbook.cli.value_text import show_place


def test_they_count_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "salt").mkdir()
    (tmp_path / "salt" / "a.sls").write_text("")
    monkeypatch.chdir(tmp_path / "salt")
    assert show_place("salt/a.sls:3: wrong") == "a.sls:3: wrong"
    assert show_place("other.sls:3: wrong") == "other.sls:3: wrong"


def test_the_repository_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Path] = []
    monkeypatch.setattr(value_text, "find_repository", searches.append)
    monkeypatch.chdir(tmp_path)
    shown = {show_place(f"a.sls:{line}: wrong") for line in range(5)}
    assert len(shown) == 5
    assert searches == [tmp_path]
