import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.wild import PROFILES, describe_exact, write_wild
from benchmarks.wild_large import MINIONS, write_large
from benchmarks.wild_pieces import FOLDERS, TEXTS, piece_names
from tests.support.leaky import files_of

from pillarbook.cli.main import run


@pytest.mark.parametrize("profile", PROFILES)
def test_the_same_arguments_give_the_same_bytes(tmp_path: Path, profile: str) -> None:
    one = write_wild(tmp_path / "one", profile=profile, seed=5)
    two = write_wild(tmp_path / "two", profile=profile, seed=5)
    other = write_wild(tmp_path / "other", profile=profile, seed=6)
    assert one == two
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert files_of(tmp_path / "one") != files_of(tmp_path / "other")
    assert isinstance(other, tuple)


def test_what_is_planted_stands_where_it_is_said_to(tmp_path: Path) -> None:
    planted = write_wild(tmp_path, profile="broken", seed=3, size=20)
    assert len({one.code for one in planted}) > 5
    for one in planted:
        lines = (tmp_path / one.file).read_bytes().splitlines()
        assert one.line is None or 1 <= one.line <= len(lines)
        assert b"@@" not in b"".join(lines)


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_is_left_to_fill_in(tmp_path: Path, profile: str) -> None:
    write_wild(tmp_path, profile=profile, seed=2, size=40)
    for content in files_of(tmp_path / "pillar").values():
        for mark in (b"$n", b"$word", b"$number", b"$pairs", b"$own", b"$foreign", b"@@", b"=== "):
            assert mark not in content


def test_every_piece_is_in_a_folder_that_is_drawn_from() -> None:
    drawn = {folder for profile in PROFILES.values() for folder in profile.folders}
    assert drawn == set(FOLDERS)
    assert {path.name for path in TEXTS.iterdir() if path.is_dir()} == {*FOLDERS, "large", "roles"}
    assert sum(len(piece_names(folder)) for folder in FOLDERS) > 30


@pytest.mark.slow
def test_the_large_tree_has_its_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_large(tmp_path)
    files = files_of(tmp_path / "pillar")
    sls = [content for name, content in files.items() if name.endswith(".sls")]
    assert len(sls) == 300 + 1
    assert sum(b"import_yaml 'data/network.yaml'" in content for content in sls) >= 90
    words = ["--master", str(tmp_path / "master"), "--inventory", str(tmp_path / "minions.yml")]
    assert run(["compile", *words]) == 0
    pillars = json.loads(capsys.readouterr().out)
    assert len(pillars) == MINIONS
    assert all(1_300 < count_leaves(pillar) < 1_500 for pillar in pillars.values())
    assert not any("_errors" in pillar for pillar in pillars.values())


def count_leaves(value: Any) -> int:
    if isinstance(value, dict | list) and value:
        return sum(map(count_leaves, value.values() if isinstance(value, dict) else value))
    return 1


@pytest.mark.slow
def test_a_tree_that_asks_says_how_much_is_exact(tmp_path: Path) -> None:
    write_large(tmp_path, minions=2, asking=True)
    found = re.fullmatch(
        r"2 minions, 0 with errors; .* values exact \((.*)%\)", describe_exact(tmp_path)
    )
    assert found is not None
    assert 90 < float(found[1]) < 100
