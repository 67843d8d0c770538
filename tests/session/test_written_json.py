"""What ``compile`` prints of a fleet is what is said of its redacted pillars."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.test_memo import FOLDERS
from tests.properties.trees import DrawnFleet, fleets
from tests.support.derived import TOKEN_KEY
from tests.support.fleets import EXAMPLE, write_drawn
from tests.support.tiers import fewer

from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, Session, open_session


def opened(folder: Path) -> Session:
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    return open_session(settings, RunOptions(token_key=TOKEN_KEY, environments=False, checks=False))


def check_law(folder: Path) -> None:
    with opened(folder) as session:
        session.freeze_fleet_secrets(session.compiler.compile_all(session.fleet.minions))
        pillars = map(session.report.pillar, session.fleet.minions)
        expected = {one.minion: session.shown.texts.as_json(one) for one in pillars}
    with opened(folder) as session:
        compiled = list(session.compiler.compile_all(session.fleet.minions))
        session.freeze_fleet_secrets(compiled, for_show=False)
        for one in (*reversed(compiled), *compiled):
            name = session.fleet.shown_id(one.minion)
            assert session.shown.write_json(one).text == f"{json.dumps(name)}: {expected[name]}"


@pytest.mark.sample(15)
@pytest.mark.parametrize("folder", [*FOLDERS.values(), EXAMPLE], ids=[*FOLDERS, "example"])
def test_case_is_written_as_it_is_redacted(folder: Path) -> None:
    check_law(folder)


def with_secrets(fleet: DrawnFleet) -> DrawnFleet:
    """Return a fleet in which each minion has secrets, copies of them, and names that hold them."""
    secrets = {"base/top.sls": fleet.files["base/top.sls"] + "  '?*': [planted]\n"}
    secrets["base/planted.sls"] = (
        "planted: {password: 'Xy-{{ grains.id }}-9z', copy: 'use Xy-{{ grains.id }}-9z'}\n"
        "note: 'Xy-web1-9z Xy-db1-9z'\n"
        "'key-Xy-{{ grains.id }}-9z': 1\nk1: {token: tok-{{ grains.get('os') }}-Z9x}\n"
    )
    return DrawnFleet(fleet.master, fleet.minions, {**fleet.files, **secrets})


@fewer(4)
@given(fleet=fleets())
def test_drawn_fleet_is_written_as_it_is_redacted(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_law(write_drawn(Path(folder), with_secrets(fleet)))
