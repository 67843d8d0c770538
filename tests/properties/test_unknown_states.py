"""The law of unknown values for states: what is not marked is as it is for each answer."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.properties.unknown_trees import ANSWERS, NAMES, disagreement
from tests.support.fleets import Fleet, describe, open_fleet, write_files, write_fleet
from tests.support.tiers import fewer

from pillarbook.highstate.compiled_states import CHUNKS, CompiledStates
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredFunction
from pillarbook.model import Leaf, ListNode, MapNode

PILLAR = {
    "top.sls": "base: {'*': [p]}\n",
    "p.sls": "a: {{ salt['vault.read_secret']('secret/a') | json }}\n"
    "db:\n  password: {{ salt.cmd.run('b') | json }}\n  port: 5432\n"
    "  users:\n    - x\n    - {{ salt.cmd.run('u') | json }}\n"
    "known: {k: 1, l: [1, 2]}\n",
}
VALUES = (
    *("{{ pillar['a'] }}", "{{ pillar.db.password }}", "{{ pillar['db']['port'] + 1 }}"),
    *("{{ salt['pillar.get']('db:password', 'none') }}", "{{ salt['pillar.get']('db:port') }}"),
    *("{{ salt['pillar.get']('a:user', 'none') }}", "{{ salt['pillar.get']('no:key', 'none') }}"),
    *(
        "{{ pillar['db'] | json }}",
        "{{ pillar.known | yaml(False) }}",
        "{{ pillar.db.keys() | list }}",
    ),
    *("{{ pillar.db.users | join(',') }}", "{{ pillar.db.users[0] }}", "{{ pillar.db | length }}"),
    *(
        "{{ salt['pillar.get']('db', {'port': 1, 'more': 2}, merge=True) | json }}",
        "{{ opts.pillar.a }}",
    ),
    *(
        "{{ 'a' in pillar }}",
        "{{ pillar.get('a', 'x') == 'x' }}",
        "{{ salt['pillar.keys']('db') }}",
    ),
    *(
        "{{ salt['match.pillar']('db:password:x') }}",
        "{{ salt['pillar.item']('a', 'known') | json }}",
    ),
    *(
        "{{ salt['config.get']('db:password', 'n') }}",
        "{{ salt['sdb.get']('sdb://x/y') }}",
        "plain",
    ),
)
CONDITIONS = (
    "pillar.a",
    "pillar.db.password == 'x'",
    "pillar.known.k == 1",
    "'x' in pillar.db.users",
    "pillar.db is defined",
    "pillar.db | default({}) | length > 2",
)
BODIES = (
    "{id}:\n  test.nop:\n    - x: {value}\n",
    "{id}:\n  test.nop:\n    - name: n-{id}\n    - deep: {{k: [1, '{value}']}}\n",
    "{id}:\n  test.nop:\n    - x: {value}\n    - require:\n      - test: s0\n",
    "{{% if {condition} %}}\n{id}:\n  test.nop:\n    - x: {value}\n{{% endif %}}\n",
    "{id}:\n  test.nop:\n    - y: 1\n    {{% if {condition} %}}\n    - x: {value}\n    {{% endif %}}\n",
    "{{% for k, v in pillar.db.items() %}}\n{id}{{{{ k }}}}:\n  test.nop:\n    - x: {{{{ v }}}}\n{{% endfor %}}\n",
    "{id}:\n  test.nop:\n    - name: {value}\n",
)


@st.composite
def state_files(draw: st.DrawFn) -> str:
    text = "s0:\n  test.nop: []\n"
    for number in range(1, draw(st.integers(1, 4)) + 1):
        body = draw(st.sampled_from(BODIES))
        value, condition = draw(st.sampled_from(VALUES)), draw(st.sampled_from(CONDITIONS))
        text += body.format(id=f"s{number}", value=value, condition=condition)
    return text


def compile_states(states: str, *, memo: bool = True, **project: Any) -> CompiledStates:
    with tempfile.TemporaryDirectory() as folder:
        roots = {"file_roots": {"base": [f"{folder}/salt"]}}
        written = write_fleet(Path(folder), PILLAR, {"one": {}, "two": {}}, roots)
        write_files(Path(folder), {"salt/top.sls": "base: {'*': [s]}\n", "salt/s.sls": states})
        with open_fleet(written, memo=memo) as opened:
            fleet = Fleet(opened.minions, replace(opened.project, **project))
            fleet.compile_states("two")
            return fleet.compile_states("one")


def answered(answers: Mapping[str, Any]) -> dict[str, DeclaredFunction]:
    return {
        name: DeclaredFunction(None, DeclaredAnswers(answers=(answer,)))
        for name, answer in answers.items()
    }


def chunks_of(states: CompiledStates) -> dict[Any, MapNode]:
    chunks = states.tree.items[CHUNKS]
    assert isinstance(chunks, ListNode)
    found: dict[Any, MapNode] = {}
    for chunk in chunks.items:
        assert isinstance(chunk, MapNode)
        name = chunk.items["__id__"]
        assert isinstance(name, Leaf)
        found[name.value] = chunk
    return found


@given(text=state_files(), data=st.data())
def test_unmarked_states_are_those_of_every_answer(text: str, data: st.DataObject) -> None:
    marked = compile_states(text, with_unknowns=True)
    if marked.errors or marked.raises is not None:
        event("lost")
        return
    left_out = [one for one in marked.diagnostics if one.code == "unknown-state"]
    mine = chunks_of(marked)
    for _ in range(3):
        answers = data.draw(st.fixed_dictionaries(dict.fromkeys(NAMES, ANSWERS)))
        real = compile_states(text, functions=answered(answers))
        if real.errors or real.raises is not None:
            event("does not render")
            continue
        event("compared")
        theirs = chunks_of(real)
        assert [key for key in theirs if key in mine] == list(mine)
        assert left_out or len(theirs) == len(mine)
        assert [disagreement(one, theirs[key], key) for key, one in mine.items()] == [None] * len(
            mine
        )


@fewer(3)
@given(text=state_files())
def test_the_memo_changes_nothing(text: str) -> None:
    with_memo, without = (
        describe(compile_states(text, memo=memo, with_unknowns=True)) for memo in (True, False)
    )
    assert with_memo == without


OF_CONTAINERS = (
    *("pillar.db", "pillar.db is defined", "pillar.db is mapping", "pillar.get('db') is not none"),
    *("(pillar.db | default({})).port == 5432", "pillar.db.users | length == 2"),
    *("'password' in pillar.db", "(pillar.db | dictsort | first)[0] == 'password'"),
    *("pillar.db.users | first == 'x'", "salt['pillar.get']('db') | default({})"),
)
"""Conditions on mappings and lists that have unknown members, and do not depend on these."""


@pytest.mark.parametrize("condition", OF_CONTAINERS)
def test_a_condition_on_a_container_does_not_depend_on_its_members(condition: str) -> None:
    text = f"{{% if {condition} %}}\ns:\n  test.nop: []\n{{% endif %}}\n"
    made = compile_states(text, with_unknowns=True)
    assert made.errors == ()
    assert [one.code for one in made.diagnostics] == []
    assert [*chunks_of(made)] == ["s"]
