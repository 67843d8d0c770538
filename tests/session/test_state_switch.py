"""The option ``states``: whether states are compiled, and what is said if they are left out."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import opened, write_tree

STATES = {"file_roots": {"base": ["states"]}}
NAMES = ("ntp", "users", "sshd", "apt", "vim")
BAD = "a: {{ nope.nope }}\n"


def write(folder: Path, missing: int, here: int, states: Any = None) -> Path:
    """Write a tree whose top file names states; those that are here fail."""
    own = [f"own{number}" for number in range(here)]
    named = ", ".join([*own, *NAMES[:missing]])
    files = {
        "pillar/top.sls": "base: {'*': [db]}",
        "pillar/db.sls": "a: 1\n",
        "states/top.sls": f"base: {{'*': [{named}]}}",
        **{f"states/{name}.sls": BAD for name in own},
    }
    more = {} if states is None else {"states": states}
    return write_tree(folder, files, master=STATES, settings=more)


TREES = {
    "mostly elsewhere": ((5, 4), ["missing-states"]),
    "auto": ((5, 4, "auto"), ["missing-states"]),
    "half here": ((5, 5), ["jinja-error", "missing-sls"]),
    "a few": ((4, 0), ["missing-sls"]),
    "wanted": ((5, 0, True), ["missing-sls"]),
    "unwanted": ((5, 4, False), []),
    "unwanted, though here": ((0, 2, False), []),
}


@pytest.mark.parametrize(("tree", "expected"), TREES.values(), ids=TREES)
def test_states_are_left_out(tree: tuple[Any, ...], expected: list[str], tmp_path: Path) -> None:
    with opened(write(tmp_path, *tree)) as session:
        session.look_at_all()
        assert sorted({one.code for one in session.shown.diagnostics}) == expected
        has_states = expected not in ([], ["missing-states"])
        assert session.report.has_states == has_states
        assert (session.report.states("a") is not None) == has_states


def test_what_is_missing_is_named_once_and_in_full(tmp_path: Path) -> None:
    with opened(write(tmp_path, 5, 0)) as session:
        session.look_at_all()
        (found,) = session.shown.diagnostics
    assert "5 state SLS are not in this repository" in found.message
    assert all(name in found.message for name in NAMES)
    assert str(found.position) == "states/top.sls"


def test_a_run_without_states_says_nothing_of_them(tmp_path: Path) -> None:
    with opened(write(tmp_path, 5, 0)) as session:
        session.compiler.compile("a")
        assert session.shown.diagnostics == ()
