"""What the secrets of one minion are to the others, and to a second run."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet

from pillarbook.inventory.settings import Environment, Settings
from pillarbook.session import RunOptions, open_session
from pillarbook.session.session import Session

SECRET = "Xk3v9QpL2w8Z"
FILES = {
    "top.sls": "base: {'db*': [owner], 'web*': [other], 'x*': [other]}\n",
    "owner.sls": f"db: {{password: {SECRET}}}\nmade: {{word: 'a {SECRET} b'}}\n",
    "other.sls": f"note: {{word: {SECRET}, host: web}}\n",
}


def open_fleet(folder: Path, minions: list[str]) -> Session:
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
    return open_session(settings, RunOptions(token_key=b"k"))


def shown(session: Session, minion: str) -> Any:
    return session.shown.texts.tagged(session.report.pillar(minion))


@pytest.mark.parametrize("minions", [["db1", "web1"], ["web1", "db1"]], ids="-".join)
def test_one_minions_copy_of_anothers_secret_is_put_away(
    minions: list[str], tmp_path: Path
) -> None:
    with open_fleet(tmp_path, minions) as session:
        session.freeze_fleet_secrets(session.compiler.compile_all(["web1"]))
        found = shown(session, "web1")["note"]
        assert found["word"]["redacted"] == "same as db:password"
        assert found["word"]["token"] == shown(session, "db1")["db"]["password"]["token"]
        assert found["host"] == "web"


def test_a_second_run_names_a_copy_as_the_first_did(tmp_path: Path) -> None:
    with open_fleet(tmp_path, ["web1", "db1"]) as first:
        first.look_at_all()
        told = {minion: shown(first, minion) for minion in first.fleet.minions}
    with open_fleet(tmp_path, ["web1", "db1"]) as second:
        second.know(first.shown.store)
        assert {minion: shown(second, minion) for minion in second.fleet.minions} == told
    assert told["db1"]["made"]["word"]["redacted"] == "derived from db:password"


def test_ids_and_environments_that_hold_a_secret_are_shown_by_its_token(tmp_path: Path) -> None:
    minions = ["db1", f"x{SECRET}", f"x{SECRET.encode().hex()}"]
    with open_fleet(tmp_path, minions) as session:
        session.freeze_fleet_secrets()
        assert len(set(session.fleet.minions)) == 3
        _, other = (one.name for one in session.fleet.environments)
        assert SECRET not in other
        for minion in session.fleet.minions:
            assert SECRET not in minion
            assert session.report.pillar(minion).minion == minion
            assert session.report.pillar_in(other, minion).minion == minion
