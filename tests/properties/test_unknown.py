"""The law of unknown values: whatever Salt's answers are, all that is not marked stays the same."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.properties.unknown_templates import deciding_trees
from tests.properties.unknown_trees import (
    ANSWERS,
    DECISIONS,
    HEAD,
    LOST,
    MACROS,
    NAMES,
    VALUES,
    AskingTree,
    asking_trees,
    disagreement,
)
from tests.support.fleets import Fleet, describe, open_fleet, write_fleet
from tests.support.tiers import fewer

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredFunction
from pillarbook.model import KeyPath, ListNode, MapNode, Node, grow, plain
from pillarbook.model.unknown import Unknown, UnknownKey, unknown_of

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


@given(tree=asking_trees() | deciding_trees(), data=st.data())
def test_unmarked_values_are_those_of_every_answer(tree: AskingTree, data: st.DataObject) -> None:
    assert_exact(tree, data, ANSWERS)


def assert_exact(tree: AskingTree, data: st.DataObject, answers_of: st.SearchStrategy[Any]) -> None:
    """Compare what is not marked with what some drawn answers give."""
    marked = compile_unknown(tree)
    if marked.errors or marked.raises is not None:
        event("lost")
        return
    event(f"unknown: {marked.has_unknown}")
    for _ in range(3):
        answers = data.draw(st.fixed_dictionaries(dict.fromkeys(NAMES, answers_of)))
        real = compile_answered(tree, answers)
        if real.errors or real.raises is not None:
            event("does not render")
            continue
        event("compared")
        assert disagreement(marked.tree, real.tree) is None


@fewer(3)
@given(tree=asking_trees() | deciding_trees())
def test_the_memo_changes_nothing(tree: AskingTree) -> None:
    with opened(tree, with_unknowns=True) as fleet:
        described = [describe(fleet.compile(name)) for name in ("two", "one", "two")]
    with opened(tree, memo=False, with_unknowns=True) as fleet:
        assert described == [describe(fleet.compile(name)) for name in ("two", "one", "two")]


def asking(form: str) -> AskingTree:
    files = {"top.sls": "base: {'*': [a]}\n", "macros.jinja": MACROS}
    return AskingTree({**files, "a.sls": f"{HEAD}k: {form}\nl: 1\n"}, {})


@pytest.mark.parametrize("form", LOST)
def test_what_is_not_followed_loses_the_file_as_without_unknown_values(form: str) -> None:
    tree = asking(form)
    with opened(tree) as fleet:
        expected = describe(fleet.compile("one"))
    made = compile_unknown(tree)
    assert made.errors
    # What is reported is the call that is not followed, and not an earlier one without an answer.
    assert {**describe(made), "diagnostics": None} == {**expected, "diagnostics": None}


@pytest.mark.sample(6)
@pytest.mark.parametrize("form", [*VALUES, *DECISIONS])
def test_a_value_loses_nothing(form: str) -> None:
    made = compile_unknown(asking(form))
    assert made.errors == ()
    assert [*made.tree.items] == ["k", "l"]
    text = describe(made)
    assert "pbu" not in str(text)


SHOWN = (
    ("{% if a.on and a.m == 'b' and b and a.z %}\nx: 1\n{% endif %}\ny: 2\n", ["y", "x?"]),
    (
        "x: {% if a == 1 %}1{% elif a == 2 %}2{% elif a == 3 %}3{% else %}5{% endif %}\ny: 2\n",
        ["x!", "y"],
    ),
    ("{% for h, v in a.items() %}\n{{ h }}: {{ v }}\n{% endfor %}\nz: 1\n", ["<>", "z", "<>"]),
    ("{% for i in range(9) if a[i] %}\nx{{ i }}: 1\n{% endfor %}\nz: 1\n", None),
    (
        "{% for i in range(9) %}\n{% if a[i] %}\nx{{ i }}: 1\n{% endif %}\n{% endfor %}\nz: 1\n",
        [*(f"x{i}?" for i in range(9)), "z"],
    ),
    (
        "{% set l = [] %}{% for h in a %}{% do l.append(h) %}{% endfor %}\nx: {{ l }}\nz: 1\n",
        ["x!", "z"],
    ),
    ("{% set m %}x{{ a }}{% endset %}\nx: {{ wrap(m) }}\ny: 1\n", ["x!", "y"]),
    ("{{ {'p': a.u, 'q': 1} | yaml(False) }}\nz: {{ {'p': b} | json }}\n", ["p!", "q", "z"]),
    ("x: {{ known.get(b, 3) }}\n{{ b }}: 1\ny: 2\n", ["x!", "<>", "y"]),
    ("{% if not a %}{{ raise('no') }}{% endif %}\nx: 1\n", ["x"]),
    ("{% if a %}{{ raise('no') }}{% endif %}\nx: 1\n", ["x"]),
    ("{% for x in a %}{% if x == 'k' %}{{ raise('no') }}{% endif %}{% endfor %}\nx: 1\n", ["x"]),
)
"""What a file gives: keys, with ``!`` for an unknown value and ``?`` for one that may be missing."""


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_depends_on_an_answer_is_marked(text: str, shown: list[str] | None) -> None:
    files = {"top.sls": "base: {'*': [a]}\n", "macros.jinja": MACROS, "a.sls": HEAD + text}
    made = compile_unknown(AskingTree(files, {}))
    assert made.errors == ()
    keys = []
    for key, node in made.tree.items.items():
        unknown = unknown_of(node)
        mark = "" if unknown is None else "?" if unknown.may_miss else "!"
        keys.append("<>" if isinstance(key, UnknownKey) else f"{key}{mark}")
    if shown is not None:
        assert keys == shown


TAGGED = "#!yamlex\nk: !aggregate {x: 1}\nl: !aggregate [1]\nm: {n: 1, o: 2}\n"
ASKING = HEAD + "k: {{ a }}\nl: [2, '{{ b }}']\n{{ b }}: 1\nm: {o: '{{ a }}', n: 3}\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize("names", ["a, t", "t, a", "t, a, t", "a, t, a"])
@fewer(4)
@given(data=st.data())
def test_what_is_merged_by_tags_is_that_of_every_answer(names: str, data: st.DataObject) -> None:
    files = {"macros.jinja": MACROS, "t.sls": TAGGED, "a.sls": ASKING}
    files["top.sls"] = f"base: {{'*': [{names}]}}\n"
    tree = AskingTree(files, {"pillar_source_merging_strategy": "aggregate"})
    marked = compile_unknown(tree)
    assert not marked.errors
    assert marked.has_unknown
    assert_exact(tree, data, ANSWERS)


def test_a_file_with_ciphertext_keeps_what_asks_nothing() -> None:
    files = {"top.sls": "base: {'*': [a]}\n", "macros.jinja": MACROS}
    message = "-----BEGIN PGP MESSAGE-----\n\n  {{ a }}\n  -----END PGP MESSAGE-----\n"
    files["a.sls"] = f"#!jinja|yaml|gpg\n{HEAD}k: {{{{ b }}}}\nl: 1\nm: |\n  {message}"
    made = compile_unknown(AskingTree(files, {}))
    assert made.errors == ()
    assert [key for key, node in made.tree.items.items() if unknown_of(node)] == ["k", "m"]


def test_a_known_difference_is_told() -> None:
    place: Any = lambda *_: None  # noqa: E731
    assert disagreement(grow({"a": [1]}, place), grow({"a": [True]}, place))
    assert disagreement(grow({"a": 1, "b": 2}, place), grow({"b": 2, "a": 1}, place))
    assert disagreement(grow({"a": 1}, place), grow({"a": 1, "b": 1}, place))


SINGLE = ("x", "k", "y", "two words", 7, 0, None, {"user": "x", "s": 1})
GIVEN: tuple[Mapping[str, Any], ...] = (
    *(dict.fromkeys(NAMES, answer) for answer in SINGLE),
    dict(zip(NAMES, ({"user": "x", "pw": "x"}, "x", ["a", "b"]), strict=True)),
    dict(zip(NAMES, ({"user": "y", "pw": "x"}, 2, "y"), strict=True)),
    dict(zip(NAMES, ({}, "", []), strict=True)),
)


@pytest.mark.slow
def test_what_is_marked_differs_for_some_answers_in_nine_of_ten() -> None:
    forms = (*VALUES, *DECISIONS)
    files = {f"s{at}.sls": f"{HEAD}k{at}:\n  v: {form}\n  w: 1\n" for at, form in enumerate(forms)}
    top = f"base: {{'*': [{', '.join(f's{at}' for at in range(len(forms)))}]}}\n"
    tree = AskingTree({"top.sls": top, "macros.jinja": MACROS, **files}, {})
    marked = dict(unknown_paths(compile_unknown(tree).tree))
    assert len(marked) > len(forms) / 2
    pillars = [plain(compile_answered(tree, answers).tree) for answers in GIVEN]
    same = []
    for path, unknown in marked.items():
        real = [found_at(one, path) for one in pillars if path[0] in one]
        if not unknown.untried and len(set(map(repr, real))) < 2:
            same.append(path)
    assert len(same) <= len(marked) / 10, same


def unknown_paths(node: Node, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Unknown]]:
    """Yield what is marked, with its path."""
    unknown = unknown_of(node)
    if unknown is not None:
        yield path, unknown
    elif isinstance(node, MapNode):
        for key, item in node.items.items():
            # A key that is not known is another one for each answer.
            yield from unknown_paths(item, path if isinstance(key, UnknownKey) else (*path, key))
    elif isinstance(node, ListNode):
        for at, item in enumerate(node.items):
            yield from unknown_paths(item, (*path, at))


def found_at(data: Any, path: Iterable[Any]) -> Any:
    """Return what is at a path; an ellipsis if there is nothing."""
    for key in path:
        members: Any = range(len(data)) if isinstance(data, list) else data
        if not isinstance(data, dict | list) or key not in members:
            return ...
        data = data[key]
    return data
