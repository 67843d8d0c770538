"""Functions with declared answers.

The answer depends on the minion's id and on the arguments of the call; a call without a matching
declaration has no answer.
"""

import fnmatch
from collections.abc import Callable, Mapping
from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredFunction

Function = Callable[..., Any]


def find_declared(
    declared: DeclaredFunction, id_matches: Callable[[str], bool], own: Function | None
) -> Function | None:
    """Return a function with the answers that are declared for a minion.

    ``own`` is called if no declaration matches.
    """
    answers = choose_answers(declared, id_matches)
    if answers is None:
        return None

    def answer_declared(*arguments: Any, **options: Any) -> Any:
        for call in answers.calls:
            if (call.args is None or _is_like(call.args, arguments)) and (
                call.kwargs is None or _is_like(call.kwargs, options)
            ):
                return to_plain(call.answer)
        for answer in answers.answers:
            return to_plain(answer)
        if own is not None:
            return own(*arguments, **options)
        raise UnansweredCallError("with arguments that match no declared answer")

    return answer_declared


def choose_answers(
    declared: DeclaredFunction, id_matches: Callable[[str], bool]
) -> DeclaredAnswers | None:
    """Return the answers that are declared for a minion; None if there are none."""
    if declared.by_id is None:
        return declared.for_all
    return next((answers for glob, answers in declared.by_id if id_matches(glob)), None)


def _is_like(declared: Any, given: Any) -> bool:
    """Say whether an argument matches: texts as globs, other values by type and equality."""
    if isinstance(declared, str):
        is_text = isinstance(given, str)
        return is_text and (given == declared or fnmatch.fnmatchcase(given, declared))
    if isinstance(declared, Mapping):
        return (
            isinstance(given, Mapping)
            and given.keys() == declared.keys()
            and all(_is_like(item, given[key]) for key, item in declared.items())
        )
    if isinstance(declared, list | tuple):
        return (
            isinstance(given, list | tuple)
            and len(given) == len(declared)
            and all(map(_is_like, declared, given))
        )
    return type(declared) is type(given) and bool(declared == given)
