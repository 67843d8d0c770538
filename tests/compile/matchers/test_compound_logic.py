"""The logic of compound targets, against what Python itself makes of the same line."""

import warnings
from collections.abc import Sequence
from itertools import product

import pytest

from pillarbook.compile.matchers.compound_logic import LogicParser, LogicToken, evaluate_logic

SIGNS = ("True", "False", "and", "or", "not", "(", ")")


def evaluate_as_python(signs: Sequence[str]) -> bool:
    try:
        return bool(eval(" ".join(signs)))  # noqa: S307 - the product must not, so the test does
    except (SyntaxError, TypeError):
        return False


def evaluate(signs: Sequence[str]) -> bool:
    answers: list[bool] = []
    tokens: list[LogicToken] = []
    for sign in signs:
        if sign in ("True", "False"):
            tokens.append(len(answers))
            answers.append(sign == "True")
        else:
            tokens.append(sign)  # type: ignore[arg-type]
    logic = LogicParser().parse(tokens)
    return logic is not None and evaluate_logic(logic, answers)


@pytest.mark.parametrize("length", range(6))
def test_every_short_line_has_pythons_truth(length: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a bool that is called
        different = [
            signs
            for signs in product(SIGNS, repeat=length)
            if evaluate(signs) != evaluate_as_python(signs)
        ]

    assert different == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("True or True ( )", True),
        ("False or True ( )", False),
        ("not ( False and True ( ) )", True),
        ("( ) ( ) or True", False),
        ("True or ( ) ( True ) ( )", True),
        ("not True or not False and True", True),
        ("( not ( True and ( False or ( ) ) ) )", True),
    ],
)
def test_call_fails_only_where_it_is_reached(line: str, expected: bool) -> None:
    assert evaluate(line.split()) is expected


@pytest.mark.parametrize(("depth", "expected"), [(200, True), (201, False), (50_000, False)])
def test_depth_ends_where_pythons_does(depth: int, expected: bool) -> None:
    signs = ["("] * depth + ["True"] + [")"] * depth

    assert evaluate(signs) is expected


def test_line_of_any_length_is_read() -> None:
    assert evaluate(["True", *["and", "True"] * 100_000])
