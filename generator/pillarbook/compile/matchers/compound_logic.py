"""The logic of compound targets: ``and``, ``or``, ``not`` and parentheses over answers.

Salt writes the answers in place of the words and has Python evaluate the line. What Python makes
of a malformed line is part of the rule: most are syntax errors, which match nothing, but ``( )``
is an empty tuple, and parentheses behind an answer are a call, which fails only if it is reached.
So there are three truths: True, False and None, a failure; ``and`` and ``or`` pass over what
stands behind the answer that decides.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

LogicToken: TypeAlias = int | Literal["and", "or", "not", "(", ")"]
"""An operator, or the number of an answer."""
Logic: TypeAlias = tuple[int | str, ...]
"""An expression in postfix form: numbers of answers, and operations on what came before them."""

_CALL = "call"
_EMPTY = "empty"
_EMPTY_CALL = "empty call"
# The parser of Salt's Python fails there, so what Salt makes of such a target is known: no match.
_MAX_PARENTHESES = 200
"""Python reads none that are nested deeper."""
_STRENGTH = {"or": 1, "and": 2, "not": 3}


def parse_logic(tokens: Sequence[LogicToken]) -> Logic | None:
    """Return the postfix form of an expression, None where Python calls it a syntax error."""
    return _Parser().parse(tokens)


def evaluate_logic(logic: Logic, answers: Sequence[bool]) -> bool:
    """Return the truth of an expression; a failure is False."""
    if len(logic) == 1:
        return bool(answers) and answers[0]  # a lone answer, or a lone empty tuple
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


def _combine(operation: int | str, left: bool | None, right: bool | None) -> bool | None:
    if operation == _CALL:
        return None
    goes_on = left is (operation == "and")
    return right if goes_on else left


class _Parser:
    """Shunting-yard: no recursion, so that no expression is too deep for it."""

    def __init__(self) -> None:
        self._output: list[int | str] = []
        self._waiting: list[str] = []
        self._parentheses = 0
        self._wants_operand = True
        self._just_opened = False

    def parse(self, tokens: Sequence[LogicToken]) -> Logic | None:
        for sign in tokens:
            if not self._take(sign):
                return None
            self._just_opened = sign == "("
        if self._wants_operand or self._parentheses:
            return None
        self._settle(0)
        return tuple(self._output)

    def _take(self, sign: LogicToken) -> bool:
        """Read one token; say whether it is allowed at this position."""
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
        """Put out the operators that bind at least as strongly, back to the last parenthesis."""
        while self._waiting and _STRENGTH.get(self._waiting[-1], -1) >= strength:
            self._output.append(self._waiting.pop())
