"""The logic of compound targets: ``and``, ``or``, ``not`` and parentheses over answers.

Salt replaces the words by their answers and evaluates the line as Python. So Python's result for a
malformed line counts: most are syntax errors, which match nothing. But ``( )`` is an empty tuple,
and parentheses after an answer are a call, which fails only if it is evaluated. So there are three
results: True, False, and None for a failure; ``and`` and ``or`` skip what follows the deciding
answer.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeAlias

LogicToken: TypeAlias = int | Literal["and", "or", "not", "(", ")"]
"""An operator, or the index of an answer."""
Logic: TypeAlias = tuple[int | str, ...]
"""An expression in postfix form: indexes of answers, and operators for the results before them."""

_Needed: TypeAlias = frozenset[int] | None

_CALL = "call"
_EMPTY = "empty"
_EMPTY_CALL = "empty call"
# The parser of Salt's Python fails with more, so Salt's result is known: no match.
_MAX_PARENTHESES = 200
"""Python does not parse deeper parentheses."""
_STRENGTH = {"or": 1, "and": 2, "not": 3}


def evaluate_logic(logic: Logic, answers: Sequence[bool]) -> bool:
    """Return the result of an expression; False for a failure."""
    if len(logic) == 1:
        return bool(answers) and answers[0]  # a single answer, or an empty tuple
    stack: list[bool | None] = []
    for step in logic:
        if isinstance(step, int):
            stack.append(answers[step])
        elif step == "not":
            stack.append(None if stack[-1] is None else not stack[-1])
            del stack[-2]
        elif step == _EMPTY:
            stack.append(False)
        elif step == _EMPTY_CALL:
            stack[-1] = None
        else:
            right = stack.pop()
            stack[-1] = _combine(step, stack[-1], right)
    return stack.pop() is True


def find_needed(logic: Logic, costs: Sequence[int]) -> frozenset[int] | None:
    """Return answers of which one must be true for a match; None if none is needed.

    ``costs`` has the cost of each answer.
    """
    never: _Needed = frozenset()
    # The answers needed for the value True, and for False.
    stack: list[tuple[_Needed, _Needed]] = []
    for step in logic:
        if isinstance(step, int):
            stack.append((frozenset((step,)), None))
        elif step == "not":
            true, false = stack.pop()
            stack.append((false, true))
        elif step == _EMPTY:
            stack.append((never, None))
        elif step == _EMPTY_CALL:
            stack[-1] = (never, never)
        else:
            right, left = stack.pop(), stack.pop()
            both = partial(_cheapest, costs)
            stack.append((never, never) if step == _CALL else _needed_by(step, left, right, both))
    return stack.pop()[0]


def _needed_by(
    operation: str,
    left: tuple[_Needed, _Needed],
    right: tuple[_Needed, _Needed],
    both: Callable[[_Needed, _Needed], _Needed],
) -> tuple[_Needed, _Needed]:
    if operation == "and":
        return both(left[0], right[0]), _either(left[1], right[1])
    return _either(left[0], right[0]), both(left[1], right[1])


def _cheapest(costs: Sequence[int], left: _Needed, right: _Needed) -> _Needed:
    """Return the cheaper set if both sides must be true."""
    if left is None or right is None:
        return left if right is None else right
    return min(left, right, key=lambda some: sum(costs[number] for number in some))


def _either(left: _Needed, right: _Needed) -> _Needed:
    """Return the union if one of both sides must be true."""
    return None if left is None or right is None else left | right


def _combine(operation: int | str, left: bool | None, right: bool | None) -> bool | None:
    if operation == _CALL:
        return None
    goes_on = left is (operation == "and")
    return right if goes_on else left


class LogicParser:
    """A shunting-yard parser; without recursion, so no expression is too deep."""

    def __init__(self) -> None:
        self._output: list[int | str] = []
        self._waiting: list[str] = []
        self._parentheses = 0
        self._wants_operand = True
        self._just_opened = False

    def parse(self, tokens: Sequence[LogicToken]) -> Logic | None:
        """Return the postfix form of an expression; None for a syntax error of Python."""
        for sign in tokens:
            if not self._take(sign):
                return None
            self._just_opened = sign == "("
        if self._wants_operand or self._parentheses:
            return None
        self._settle(0)
        return tuple(self._output)

    def _take(self, sign: LogicToken) -> bool:
        """Read one token; return whether it is allowed here."""
        if isinstance(sign, int):
            return self._take_answer(sign)
        if sign == "(":
            return self._open()
        if sign == ")":
            return self._close()
        return self._take_operator(sign)

    def _take_answer(self, number: int) -> bool:
        is_allowed = self._wants_operand
        self._output.append(number)
        self._wants_operand = False
        return is_allowed

    def _take_operator(self, operator: str) -> bool:
        is_prefix = operator == "not"
        if is_prefix is not self._wants_operand:
            return False
        if not is_prefix:
            self._settle(_STRENGTH[operator])
        self._waiting.append(operator)
        self._wants_operand = True
        return True

    def _open(self) -> bool:
        self._waiting.append("(" if self._wants_operand else _CALL)
        self._wants_operand = True
        self._parentheses += 1
        return self._parentheses <= _MAX_PARENTHESES

    def _close(self) -> bool:
        if not self._parentheses or (self._wants_operand and not self._just_opened):
            return False
        self._settle(0)
        is_call = self._waiting.pop() == _CALL
        if self._wants_operand:
            self._output.append(_EMPTY_CALL if is_call else _EMPTY)
        elif is_call:
            self._output.append(_CALL)
        self._parentheses -= 1
        self._wants_operand = False
        return True

    def _settle(self, strength: int) -> None:
        """Output the operators that bind at least as strongly, back to the last parenthesis."""
        while self._waiting and _STRENGTH.get(self._waiting[-1], -1) >= strength:
            self._output.append(self._waiting.pop())
