"""The law of repeated renders for secrets: with and without the memo the same is hidden."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.derived import MASTER, PASSWORD, opened, write_tree
from tests.support.tiers import fewer

READS = (
    *("grains.name", "grains.db_password", "grains['name'].split('.')[0]", "grains.n + 1"),
    *("grains.db_password | upper", "grains.db_password[:4]", "grains.name ~ grains.db_password"),
    *("salt['grains.get']('db_password')", "grains.login.token", "grains.login | length", "x"),
    *("grains.none | default(grains.name)", "x ~ grains.name", "grains.name | sha256"),
    *(f"grains.name ~ '{PASSWORD}'", f"'{PASSWORD}' if grains.n else grains.name"),
)
LINES = ("k%d: '{{ P }}'", "password_%d: '{{ P }}'", "k%d: {token: '{{ P }}'}", "k%d: a {{ P }}")
SETS = (
    *("", "{% set x = grains.name %}\n", "{% set x = grains.db_password %}\n"),
    *(f"{{% set x = '{PASSWORD}' %}}\n", "{% set x = grains.db_password ~ grains.name %}\n"),
)
NAMES = st.sampled_from(["web1.example.com", "db-2", "x", PASSWORD])
GRAINS = st.fixed_dictionaries(
    {
        "name": NAMES,
        "n": st.integers(0, 3),
        "db_password": st.sampled_from([PASSWORD, "0th3r-Hunter3!", "yes", 17283940]),
        "login": st.fixed_dictionaries({"token": NAMES, "user": NAMES}),
    }
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw an SLS file that prints names and secrets, and what it makes of them."""
    lines = [
        draw(st.sampled_from(LINES)).replace("P", draw(st.sampled_from(READS))) % number
        for number in range(draw(st.integers(1, 4)))
    ]
    return draw(st.sampled_from(SETS)) + "\n".join(lines) + "\n"


def shown(folder: Path, *, memo: bool) -> Mapping[str, Any]:
    """Return what is shown of each minion, with the reasons and the diagnostics."""
    with opened(folder, memo=memo) as session:
        session.look_at_all()
        pillars = [session.report.pillar(minion) for minion in session.fleet.minions]
        told = sorted(map(repr, session.shown.diagnostics))
        return {one.minion: [repr(leaf) for leaf in one.leaves] for one in pillars} | {"": told}


@pytest.mark.slow
@fewer(3)
@given(own=files(), more=files(), fleet=st.lists(GRAINS, min_size=2, max_size=5))
def test_repeated_renders_hide_the_same(own: str, more: str, fleet: list[dict[str, Any]]) -> None:
    tree = {
        "pillar/top.sls": "base: {'*': [own, more]}",
        "pillar/own.sls": own,
        "pillar/more.sls": f"more:\n  {more.rstrip().splitlines()[-1]}\n",
    }
    minions = {f"m{number}": {"grains": grains} for number, grains in enumerate(fleet)}
    with tempfile.TemporaryDirectory() as folder:
        written = write_tree(Path(folder), tree, minions=minions, master=MASTER)
        assert shown(written, memo=True) == shown(written, memo=False)
