"""What the secrets of one minion are to the others, and to a second run."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet

from pillarbook.book import RunOptions, open_book
from pillarbook.book.fleet import FleetBook
from pillarbook.inventory.settings import Environment, Settings

SECRET = "Xk3v9QpL2w8Z"
FILES = {
    "top.sls": "base: {'db*': [owner], 'web*': [other], 'x*': [other]}\n",
    "owner.sls": f"db: {{password: {SECRET}}}\nmade: {{word: 'a {SECRET} b'}}\n",
    "other.sls": f"note: {{word: {SECRET}, host: web}}\n",
}


def open_fleet(folder: Path, minions: list[str]) -> FleetBook:
    write_fleet(folder, FILES, {one: {} for one in minions})
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        environments=(
            Environment(name="base"),
            Environment(name=f"next-{SECRET}", options={"pillar_merge_lists": True}),
        ),
    )
    return open_book(settings, RunOptions(token_key=b"k"))


def shown(book: FleetBook, minion: str) -> Any:
    return book.tagged(book.pillar(minion))


@pytest.mark.parametrize("minions", [["db1", "web1"], ["web1", "db1"]], ids="-".join)
def test_one_minions_copy_of_anothers_secret_is_put_away(
    minions: list[str], tmp_path: Path
) -> None:
    with open_fleet(tmp_path, minions) as book:
        book.settle(book.compile_all(["web1"]))
        found = shown(book, "web1")["note"]
        assert found["word"]["redacted"] == "same as db:password"
        assert found["word"]["token"] == shown(book, "db1")["db"]["password"]["token"]
        assert found["host"] == "web"


def test_a_second_run_names_a_copy_as_the_first_did(tmp_path: Path) -> None:
    with open_fleet(tmp_path, ["web1", "db1"]) as first:
        first.look_at_all()
        told = {minion: shown(first, minion) for minion in first.minions}
    with open_fleet(tmp_path, ["web1", "db1"]) as second:
        second.know(first.store)
        assert {minion: shown(second, minion) for minion in second.minions} == told
    assert told["db1"]["made"]["word"]["redacted"] == "derived from db:password"


def test_ids_and_environments_that_hold_a_secret_are_shown_by_its_token(tmp_path: Path) -> None:
    minions = ["db1", f"x{SECRET}", f"x{SECRET.encode().hex()}"]
    with open_fleet(tmp_path, minions) as book:
        book.settle()
        assert len(set(book.minions)) == 3
        _, other = (one.name for one in book.environments)
        assert SECRET not in other
        for minion in book.minions:
            assert SECRET not in minion
            assert book.pillar(minion).minion == minion
            assert book.pillar_in(other, minion).minion == minion
