"""What a session knows of secrets goes with it."""

import gc
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.inventory.settings import Settings
from pillarbook.redact.secret_forms import SecretForm
from pillarbook.redact.secret_search import _LARGE, SecretSearch
from pillarbook.session import RunOptions, open_session

WORDS = [f"Xk3v9QpL2w8Z{number}" for number in range(100)]
FILES = {
    "top.sls": "base: {'*': [many, made]}\n",
    "many.sls": "".join(f"app{at}: {{password: {word}}}\n" for at, word in enumerate(WORDS)),
    "made.sls": f"{{% set one, other = '{WORDS[0]}', '{WORDS[1]}' %}}\n"
    "made: {{ one[::-1] | upper }}-{{ other | length }}\n",
}


def find_forms() -> list[object]:
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, SecretForm | SecretSearch)]


def count_new(earlier: list[object]) -> int:
    """Count the forms that are not among earlier ones, which earlier tests may have left."""
    known = set(map(id, earlier))
    return sum(id(one) not in known for one in find_forms())


@pytest.mark.slow
def test_no_form_of_a_secret_outlives_its_session(tmp_path: Path) -> None:
    write_fleet(tmp_path, FILES, {"m": {}})
    settings = Settings(
        master=tmp_path / "master", inventory=(tmp_path / "minions.yml",), folder=tmp_path
    )
    before = find_forms()
    with open_session(settings, RunOptions(token_key=b"k")) as session:
        (pillar,) = session.compiler.compile_all(["m"])
        session.freeze_fleet_secrets([pillar])
        assert '"redacted": "derived from' in session.shown.write_json(pillar).text
        assert count_new(before) > 500
    del session, pillar
    assert count_new(before) == 0


def test_searches_for_the_same_share_an_automaton_as_long_as_one_of_them_lives() -> None:
    secrets = [(number, f"Xk3v9QpL2w8Z{number}") for number in range(250)]
    first, second = SecretSearch.of(secrets), SecretSearch.of(secrets)
    hits = {one.first(b"see Xk3v9QpL2w8Z17") for one in (first, second)}
    assert [hit and hit.secret_id for hit in hits] == [17]
    assert len(_LARGE) == 1
    del first, second
    assert not _LARGE
