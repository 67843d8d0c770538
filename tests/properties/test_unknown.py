"""The law of unknown values: whatever Salt's answers are, all that is not marked stays the same."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.properties.unknown_trees import (
    ANSWERS,
    DECISIONS,
    HEAD,
    MACROS,
    NAMES,
    VALUES,
    AskingTree,
    asking_trees,
    disagreement,
)
from tests.support.fleets import Fleet, describe, open_fleet, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredFunction
from pillarbook.model import grow

MINIONS = {name: {"grains": {"id": name}} for name in ("one", "two", "three", "four")}


@contextmanager
def opened(tree: AskingTree, *, memo: bool = True, **project: Any) -> Iterator[Fleet]:
    with tempfile.TemporaryDirectory() as folder:
        written = write_fleet(Path(folder), tree.files, MINIONS, tree.master)
        with open_fleet(written, memo=memo) as fleet:
            yield Fleet(fleet.minions, replace(fleet.project, **project))


def compile_unknown(tree: AskingTree, minion: str = "one") -> CompiledPillar:
    with opened(tree, with_unknowns=True) as fleet:
        fleet.compile("two")
        return fleet.compile(minion)


def compile_answered(tree: AskingTree, answers: Mapping[str, Any]) -> CompiledPillar:
    functions = {
        name: DeclaredFunction(None, DeclaredAnswers(answers=(answer,)))
        for name, answer in answers.items()
    }
    with opened(tree, functions=functions) as fleet:
        return fleet.compile("one")


@given(tree=asking_trees(), data=st.data())
def test_unmarked_values_are_those_of_every_answer(tree: AskingTree, data: st.DataObject) -> None:
    marked = compile_unknown(tree)
    if marked.errors or marked.raises is not None:
        event("lost")
        return
    event(f"unknown: {marked.has_unknown}")
    for _ in range(3):
        answers = data.draw(st.fixed_dictionaries(dict.fromkeys(NAMES, ANSWERS)))
        real = compile_answered(tree, answers)
        if real.errors or real.raises is not None:
            event("does not render")
            continue
        event("compared")
        assert disagreement(marked.tree, real.tree) is None


@given(tree=asking_trees())
def test_the_memo_changes_nothing(tree: AskingTree) -> None:
    with opened(tree, with_unknowns=True) as fleet:
        described = [describe(fleet.compile(name)) for name in ("two", "one", "two")]
    with opened(tree, memo=False, with_unknowns=True) as fleet:
        assert described == [describe(fleet.compile(name)) for name in ("two", "one", "two")]


def asking(form: str) -> AskingTree:
    files = {"top.sls": "base: {'*': [a]}\n", "macros.jinja": MACROS}
    return AskingTree({**files, "a.sls": f"{HEAD}k: {form}\nl: 1\n"}, {})


@pytest.mark.parametrize("form", DECISIONS)
def test_a_decision_loses_the_file_as_without_unknown_values(form: str) -> None:
    tree = asking(form)
    with opened(tree) as fleet:
        expected = describe(fleet.compile("one"))
    made = compile_unknown(tree)
    assert made.errors
    assert describe(made) == expected


@pytest.mark.parametrize("form", VALUES)
def test_a_value_loses_nothing(form: str) -> None:
    made = compile_unknown(asking(form))
    assert made.errors == ()
    assert [*made.tree.items] == ["k", "l"]
    text = describe(made)
    assert "pbu" not in str(text)


def test_a_known_difference_is_told() -> None:
    place: Any = lambda *_: None  # noqa: E731
    assert disagreement(grow({"a": [1]}, place), grow({"a": [True]}, place))
    assert disagreement(grow({"a": 1, "b": 2}, place), grow({"b": 2, "a": 1}, place))
    assert disagreement(grow({"a": 1}, place), grow({"a": 1, "b": 1}, place))
