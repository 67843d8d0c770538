"""Decision tries: results by the questions that led to them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.compile.memo import MAX_UNPROVEN, Memo, RepeatCache
from pillarbook.compile.reads import Answer, Question, Trace, View, answer_about, fingerprint

Data = dict[str, Any]
A: Question = ("grains", "get", ("a",))
B: Question = ("grains", "get", ("b",))
C: Question = ("grains", "get", ("c",))


def answers(**given: str) -> Callable[[Question], Answer]:
    return lambda question: given[question[2][0]]  # type: ignore[index]


def test_nothing_is_known_at_first() -> None:
    memo: Memo[str] = Memo()
    assert memo.find("key", answers()) == (False, None)
    assert (memo.hits, memo.misses) == (0, 1)


def test_result_without_questions_holds_for_all() -> None:
    memo: Memo[str] = Memo()
    memo.keep("key", {}, "result")
    assert memo.find("key", answers(a="1")) == (True, "result")
    assert memo.find("other", answers()) == (False, None)


def test_questions_are_asked_only_as_far_as_answers_lead() -> None:
    memo: Memo[str] = Memo()
    memo.keep("key", {A: "1", B: "2"}, "one-two")
    memo.keep("key", {A: "9", C: "3"}, "nine-three")
    assert memo.find("key", answers(a="1", b="2")) == (True, "one-two")
    assert memo.find("key", answers(a="9", c="3")) == (True, "nine-three")
    assert memo.find("key", answers(a="1", b="3")) == (False, None)
    assert memo.find("key", answers(a="4")) == (False, None)
    assert (memo.hits, memo.misses) == (2, 2)


def test_result_none_is_a_result() -> None:
    memo: Memo[None] = Memo()
    memo.keep("key", {A: "1"}, None)
    assert memo.find("key", answers(a="1")) == (True, None)


MISFITS: dict[str, tuple[Mapping[Question, Answer], Mapping[Question, Answer]]] = {
    "ends-sooner": ({A: "1", B: "2"}, {A: "1"}),
    "ends-at-once": ({A: "1"}, {}),
    "goes-on": ({A: "1"}, {A: "1", B: "2"}),
    "begins-otherwise": ({A: "1"}, {B: "1"}),
    "asks-something-else": ({A: "1", B: "2"}, {A: "1", C: "2"}),
}


@pytest.mark.parametrize(("first", "second"), MISFITS.values(), ids=MISFITS)
def test_what_is_no_function_of_its_answers_is_not_kept(
    first: Mapping[Question, Answer], second: Mapping[Question, Answer]
) -> None:
    memo: Memo[str] = Memo()
    memo.keep("key", first, "first")
    memo.keep("key", second, "second")
    assert memo.misfits == 1
    assert memo.find("key", answers(a="1", b="2", c="2")) == (True, "first")


VALUES = st.sampled_from([1, True, 1.0, "1", None, [], [1], [True], {}, {"x": 1}, {"x": True}])
MINIONS = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES)


def compute(data: Data, trace: Trace) -> list[object]:
    """Ask in ways that depend on the answers, as a template does."""
    view = View("grains", data, trace)
    found: list[object] = ["a" in view]
    if view.get("a"):
        found.append(view.get("b"))
        found.append(view["a"] == 1)
    elif "c" in view:
        found.extend(view.keys())
    if isinstance(view.get("b"), dict):
        found.append([view["b"].get("x"), len(view["b"])])
    return found


@given(minions=st.lists(MINIONS, max_size=8))
def test_found_result_is_the_computed_one(minions: list[Data]) -> None:
    memo: Memo[Any] = Memo()
    for data in minions:

        def answer(question: Question, data: Data = data) -> Answer:
            _, what, path = question
            return answer_about(data, what, path)  # type: ignore[arg-type]

        known, result = memo.find("key", answer)
        trace = Trace()
        computed = fingerprint(compute(data, trace))
        if not known:
            memo.keep("key", trace.answers, computed)
        else:
            assert result == computed
        assert memo.find("key", answer) == (True, computed)
    assert memo.misfits == 0


def test_sifted_keeps_what_was_asked_for_again() -> None:
    kept = RepeatCache[str, int]()
    kept["shared"] = 1
    assert kept.get("shared") == 1
    for number in range(MAX_UNPROVEN + 1):
        kept[f"own{number}"] = number
    assert kept.get("shared") == 1
    assert kept.get("own0") is None
    assert kept.get(f"own{MAX_UNPROVEN}") == MAX_UNPROVEN


def test_sifted_tells_false_from_nothing() -> None:
    kept = RepeatCache[str, bool]()
    kept["no"] = False
    assert kept.get("no") is False
    assert kept.get("no") is False
