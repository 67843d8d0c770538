"""Each "read by" is right: states rendered without the memo, with a pillar that tells on its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import opened, write_tree
from tests.support.tiers import is_thorough

from pillarbook.compile import render_file as rendering
from pillarbook.compile.minion_view import MinionView
from pillarbook.model import KeyPath, Leaf, leaves
from pillarbook.taint.state_reads import StateReads, leaves_read

ROOT = Path(__file__).parents[2]
APP = """\
{% set web = pillar.get('web', {}) %}
a: {test.nop: [{v: {{ web.port }}}, {l: {{ pillar.names | join(',') }}}]}
{% for name, user in pillar.users.items() if user.on %}
{{ name }}: {test.nop: [{v: {{ salt['pillar.get']('users:' ~ name ~ ':uid') }}}]}
{% endfor %}
{% from 'map.jinja' import m with context %}
b: {test.nop: [{v: {{ m.deep | tojson }}}, {d: {{ pillar.none | default(3) }}}]}
"""
TREE = {
    "pillar/top.sls": "base: {'*': [all]}",
    "pillar/all.sls": (
        "web: {port: 80, host: h}\nnames: [x, y]\nother: 1\nm: {deep: {p: 1, q: [2]}, flat: 3}\n"
        "users: {x: {on: true, uid: 1, shell: s}, y: {on: false, uid: 2}}\n"
    ),
    "states/top.sls": "base: {'*': [app]}",
    "states/app.sls": APP,
    "states/map.jinja": "{% set m = pillar.m %}",
}


class Telling(dict[Any, Any]):
    """A pillar that tells of every value that leaves it; it knows nothing of views."""

    def __init__(self, data: Mapping[Any, Any], said: set[KeyPath], path: KeyPath = ()) -> None:
        super().__init__(
            (key, Telling(item, said, (*path, key)) if isinstance(item, Mapping) else item)
            for key, item in data.items()
        )
        self._told_to = said
        self._told_path = path

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if not isinstance(value, Telling):
            self._told_to.add((*self._told_path, key))
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401 (this is it)

    def items(self) -> Any:
        return [(key, self[key]) for key in self]

    def values(self) -> Any:
        return [self[key] for key in self]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], set[KeyPath]]:
    """Let states see such a pillar; what they read of it is gathered by environment and SLS."""
    told: dict[tuple[str, str], set[KeyPath]] = {}
    now: list[set[KeyPath]] = [set()]
    render = rendering._render
    view = MinionView.view

    def note(found: Any, name: tuple[str, str], view: MinionView, *rest: Any) -> Any:
        now.append(set())
        try:
            return render(found, name, view, *rest)
        finally:
            gathered = now.pop()
            if view.renders_states:
                sls, saltenv = name
                told.setdefault((saltenv, sls), set()).update(gathered)

    def show(self: MinionView, name: str, trace: Any) -> Any:
        if name == "pillar" and self.renders_states:
            return Telling(self.data("pillar"), now[-1])
        return view(self, name, trace)

    monkeypatch.setattr(rendering, "_render", note)
    monkeypatch.setattr(MinionView, "view", show)
    monkeypatch.setattr(
        MinionView, "pillar_of_functions", lambda self, trace: self.view("pillar", trace)
    )
    return told


def recorded(folder: Path) -> dict[str, dict[tuple[str, str], set[KeyPath]]]:
    """Return the leaves that each state SLS of each minion read, by the recorded reads."""
    found = {}
    with opened(folder) as session:
        reads = StateReads(lambda path: path)
        for minion in session.fleet.minions:
            states = session.compiler.compile_states(session.compiler.compile(minion))
            own = _leaves(states.readers.shown)
            found[minion] = {
                (one.saltenv, one.sls): set(leaves_read(one.reads, own))
                for one in reads.of_sls(states)
            }
    return found


def _leaves(tree: Any) -> list[KeyPath]:
    return [path for path, node, _ in leaves(tree) if isinstance(node, Leaf)]


@pytest.mark.grows
@pytest.mark.parametrize("which", ["small", pytest.param("example", marks=pytest.mark.slow)])
def test_what_is_recorded_is_what_is_read(
    which: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if which == "small":
        write_tree(tmp_path, TREE, master={"file_roots": {"base": ["states"]}})
    folder = tmp_path if which == "small" else ROOT
    expected = recorded(folder)
    assert any(any(reads.values()) for reads in expected.values())
    told = request.getfixturevalue("said")
    with opened(folder, memo=False) as session:
        minions = [*session.fleet.minions]
        for minion in minions if is_thorough(request.config) else minions[::5]:
            compiled = session.compiler.compile(minion)
            told.clear()
            states = session.compiler.compile_states(compiled)
            own = _leaves(compiled.tree)
            for name in states.sls:
                said_of = told[name]
                read = {
                    path
                    for path in own
                    if any(path[:length] in said_of for length in range(1, len(path) + 1))
                }
                assert read == expected[minion][name], (minion, name)
