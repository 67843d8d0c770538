"""What the real Salt printed for a table of templates, or how it refused them."""

import contextlib
import copy
import json
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError, TemplateRuntimeError
from tests.compile.renderers.jinja.stand_ins import Minion, recorded, render

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.watched_data import TemplateWrites

ANSWERS = json.loads((Path(__file__).parent / "salt_answers.json").read_text(encoding="utf-8"))
PYTHON_ERROR = "Jinja error: "


def make_minion() -> Minion:
    return Minion(**copy.deepcopy(ANSWERS["world"]))


def answer_of(source: str, minion: Minion) -> dict[str, str]:
    """Return the output, or the error in Salt's words as far as they are not Python's."""
    try:
        return {"output": render(source, minion)}
    except Exception as error:  # noqa: BLE001 (any error is an answer)
        return {"error": without_python_words(f"{lead(error)}{error}")}


def without_python_words(error: str) -> str:
    return PYTHON_ERROR if error.startswith(PYTHON_ERROR) else error


def salted(answer: dict[str, str]) -> dict[str, str]:
    return {kind: without_python_words(text) for kind, text in answer.items()}


def lead(error: Exception) -> str:
    if isinstance(error, UndefinedError):
        return "Jinja variable "
    if isinstance(error, TemplateRuntimeError | TemplateSyntaxError | SecurityError):
        return "Jinja syntax error: "
    if isinstance(error, SaltFunctionError):
        return "Problem running salt function in Jinja template: "
    return PYTHON_ERROR


@pytest.mark.parametrize("group", ANSWERS["answers"])
def test_prints_what_salt_prints(group: str) -> None:
    for source, answer in ANSWERS["answers"][group]:
        assert answer_of(source, make_minion()) == salted(answer), source


@pytest.mark.sample(12)
@pytest.mark.parametrize("group", ANSWERS["answers"])
def test_prints_the_same_through_views(group: str) -> None:
    compared = 0
    for source, answer in ANSWERS["answers"][group]:
        # A view refuses a template that changes what it was given.
        with contextlib.suppress(TemplateWrites):
            assert answer_of(source, recorded(make_minion())) == salted(answer), source
            compared += 1
    assert compared
