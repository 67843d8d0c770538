"""The states of minions as pages show them: where arguments came from."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from tests.support.derived import PASSWORD, opened, write_tree

from pillarbook.redact.redacted_states import MinionStates
from pillarbook.taint.argument_trials import other_values

LATEST = datetime.max.replace(tzinfo=UTC)
STATES = {"file_roots": {"base": ["states"]}}
PILLAR = f"""\
port: 80
again: 80
name: web
flag: true
list: [one, two]
db: {{password: '{PASSWORD}'}}
empty:
"""


def write(folder: Path, app: str) -> Path:
    """Write a tree with a state SLS ``app``."""
    files = {
        "pillar/top.sls": "base: {'*': [all]}",
        "pillar/all.sls": PILLAR,
        "states/top.sls": "base: {'*': [app]}",
        "states/app.sls": app,
    }
    return write_tree(folder, files, master=STATES)


def states_of(folder: Path, **options: bool) -> MinionStates:
    """Return the states of the one minion."""
    with opened(folder, **options) as session:
        session.report.pillar("a")
        found = session.report.states("a")
        assert found is not None
        return found


def sources_of(states: MinionStates) -> list[dict[str, list[str]]]:
    """Return the sources of each chunk, with paths in short."""
    return [
        {
            ".".join(map(str, path)): [".".join(map(str, key)) for key in keys]
            for path, keys in one.items()
        }
        for one in states.sources
    ]


ARGUMENTS = {
    "itself": ("{{ pillar.port }}", ["port"]),
    "not-what-is-equal": ("{{ pillar.again }}", ["again"]),
    "written": ("80", None),
    "read-but-not-used": ("{% set x = pillar.port %}80", None),
    "within-a-text": ("a{{ pillar.name }}b", ["name"]),
    "computed": ("{{ pillar.port * 2 }}", ["port"]),
    "two": ("{{ pillar.name ~ pillar.port }}", ["port", "name"]),
    "chosen": ("{{ 'y' if pillar.flag else 'n' }}", ["flag"]),
    "length": ("{{ pillar.name | length }}", ["name"]),
    "member": ("{{ pillar.list[1] }}", ["list.1"]),
    "joined": ("{{ pillar.list | join(' ') }}", ["list.0", "list.1"]),
    "secret": ("{{ pillar.db.password }}", ["db.password"]),
    "nothing-at-all": ("{{ pillar.empty }}", ["empty"]),
    "looked-up": ("{{ {'web': 1, 'xfc': 2}[pillar.name] }}", ["name"]),
    "default": ("{{ pillar.get('none', 5) }}", None),
}


@pytest.mark.parametrize(("text", "keys"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_an_argument(text: str, keys: list[str] | None, tmp_path: Path) -> None:
    states = states_of(write(tmp_path, f"x:\n  test.nop:\n    - v: {text}\n    - w: 80\n"))
    assert sources_of(states) == [{} if keys is None else {"v": keys}]
    assert states.traced
    assert states.recorded


def test_an_id_and_whether_a_state_is_there(tmp_path: Path) -> None:
    app = (
        "{{ pillar.name }}-x: {test.nop: []}\n"
        "{% if pillar.flag %}\ny: {test.nop: [{v: {{ pillar.port }}}]}\n{% endif %}\n"
    )
    found = sources_of(states_of(write(tmp_path, app)))
    assert found == [{"__id__": ["name"]}, {"__id__": ["flag"], "v": ["port"]}]


def test_a_minion_that_is_compiled_plainly_is_not_traced(tmp_path: Path) -> None:
    app = "{% do grains.update({'z': 1}) %}\nx: {test.nop: [{v: {{ pillar.port }}}]}\n"
    states = states_of(write(tmp_path, app))
    assert (states.traced, states.recorded) == (False, False)
    assert sources_of(states) == [{}]


def test_a_fleet_without_a_top_file_of_states_has_none(tmp_path: Path) -> None:
    folder = write(tmp_path, "x: {test.nop: []}")
    (folder / "states" / "top.sls").unlink()
    with opened(folder) as session:
        session.report.pillar("a")
        assert not session.report.has_states
        assert session.report.states("a") is None


@pytest.mark.parametrize(
    "value", [1, 1.5, "a", "", True, None, date(2020, 1, 1), date.max, LATEST], ids=repr
)
def test_other_values_are_other_ones_of_the_type(value: object) -> None:
    tried = list(other_values(value))
    assert tried
    assert all(one != value for one in tried)
    assert value is None or {type(one) for one in tried} == {type(value)}
