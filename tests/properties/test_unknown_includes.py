"""The law of unknown values for includes that hang on an answer."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.test_unknown import assert_exact, compile_unknown
from tests.properties.unknown_trees import AskingTree

ANSWERS: st.SearchStrategy[Any] = st.sampled_from(
    ("db", "web", "r.db", "r.web", "r", ".r.db", "*", "", 1, None, True, ["db"], "no.such")
)
ENTRIES = (
    "r.{a}",
    "{a}",
    "{{{{ 'r.' ~ salt['cmd.run']('b') }}}}",
    "r.db",
    "r.web",
    ".r.{a}",
    "r.own",
)
KEYS = ("k", "l", "m", "n")
VALUES = ("1", "[1, 2]", "{x: 1}", "{x: 2, y: {z: 3}}", "text", "null")
OPTIONS: tuple[Mapping[str, Any], ...] = (
    {},
    {"pillar_source_merging_strategy": "overwrite"},
    {"pillar_source_merging_strategy": "none"},
    {"pillar_includes_override_sls": True},
    {"pillar_merge_lists": True},
)
ASK = "{{ salt['vault.read_secret']('secret/a') }}"


@st.composite
def including_trees(draw: st.DrawFn) -> AskingTree:
    files = {
        "top.sls": f"base: {{'*': [{draw(st.sampled_from(('a', 'a, c', 'c, a', 'a, r.db')))}]}}\n"
    }
    for name in ("r.db", "r.web", "r.own", "c"):
        own = draw(st.lists(st.sampled_from(KEYS), min_size=1, unique=True))
        text = "".join(f"{key}: {draw(st.sampled_from(VALUES))}\n" for key in own)
        if name == "r.own" and draw(st.booleans()):
            text = f"include: [r.db]\n{text}"
        files[f"{name.replace('.', '/')}.sls"] = text
    entries = draw(st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=3, unique=True))
    lines = []
    for entry in entries:
        line = f"  - {entry.format(a=ASK)}\n"
        if draw(st.integers(0, 3)) == 0:
            line = f"{{% if salt['cmd.run']('b') == 'db' %}}\n{line}{{% endif %}}\n"
        lines.append(line)
    own = draw(st.lists(st.sampled_from(KEYS), unique=True))
    text = "".join(f"{key}: {draw(st.sampled_from(VALUES))}\n" for key in own)
    files["a.sls"] = f"include:\n{''.join(lines)}{text}z: 1\n"
    return AskingTree(files, draw(st.sampled_from(OPTIONS)))


@given(tree=including_trees(), data=st.data())
def test_unmarked_values_are_those_of_every_answer(tree: AskingTree, data: st.DataObject) -> None:
    assert_exact(tree, data, ANSWERS)


@pytest.mark.parametrize(
    ("entry", "files", "keys"),
    [
        (f"r{ASK}*", {"rx.sls": "x: 1\n"}, ["x", "z"]),
        (f"r.[{ASK}]", {"r/x.sls": "x: 1\n"}, ["x", "z"]),
        (f"r.{ASK}", {"r/init.sls": "y: 1\n"}, ["y", "z"]),
        (f"{ASK}.init", {"r/init.sls": "y: 1\n"}, ["z", "y", "base"]),
        (f"n{ASK}", {"nx.sls": f'#!jinja|json\n{{"y": "{ASK}"}}\n'}, ["_errors"]),
    ],
    ids=[
        "a glob",
        "a class of letters",
        "an init.sls",
        "an init.sls by name",
        "one that cannot be followed",
    ],
)
def test_all_that_a_name_may_mean_is_tried(
    entry: str, files: dict[str, str], keys: list[str]
) -> None:
    own = {"top.sls": "base: {'*': [a]}\n", "a.sls": f'include: ["{entry}"]\nz: 1\n'}
    assert [*compile_unknown(AskingTree(own | files, {})).tree.items] == keys


def test_a_candidate_that_stops_salt_costs_only_the_file_that_may_include_it() -> None:
    files = {
        "top.sls": "base: {'*': [a, c]}\n",
        "r/db.sls": "include: [{x: 3}]\nn: 1\n",
        "a.sls": f"include:\n  - r.{ASK}\nz: 1\n",
        "c.sls": "m: 1\n",
    }
    made = compile_unknown(AskingTree(files, {}))
    assert made.raises is None
    assert [*made.tree.items] == ["m", "_errors"]
