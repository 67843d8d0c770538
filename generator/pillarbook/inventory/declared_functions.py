"""The option ``functions``: declared answers of execution functions.

The value under a function's name is its answer, or a mapping of minion globs to answers. A mapping
with ``$answer`` or ``$calls`` is neither: ``$answer`` holds an answer that is a mapping itself,
``$calls`` holds answers by the arguments of the call. They may be under a glob, too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.inventory.declaration_errors import suggest
from pillarbook.inventory.settings_checks import Checks
from pillarbook.model import KeyPath

ANSWER = "$answer"
CALLS = "$calls"
_CALL = ("args", "kwargs", "answer")


@dataclass(frozen=True, slots=True)
class DeclaredCall:
    """The answer to some calls of a function."""

    args: tuple[Any, ...] | None
    """The positional arguments; None for any. A text is a glob."""
    kwargs: Mapping[str, Any] | None
    """The named arguments; None for any. A text is a glob."""
    answer: Any
    """The result of the call."""


@dataclass(frozen=True, slots=True)
class DeclaredAnswers:
    """The answers of a function to some minions."""

    calls: tuple[DeclaredCall, ...] = ()
    """Answers by arguments; the first that fits counts."""
    answers: tuple[Any, ...] = ()
    """The answer to every other call, one or none."""


@dataclass(frozen=True, slots=True)
class DeclaredFunction:
    """The declaration of one function."""

    by_id: tuple[tuple[str, DeclaredAnswers], ...] | None
    """Answers by minion globs; the first that matches counts. None if they are for all."""
    for_all: DeclaredAnswers = DeclaredAnswers()
    """The answers if there are no globs."""


def parse_functions(checks: Checks) -> dict[str, DeclaredFunction]:
    """Return the declared functions by name; faults are added to the checks."""
    found: dict[str, DeclaredFunction] = {}
    for name, given in checks.mapping("functions").items():
        path = ("functions", name)
        if not isinstance(name, str) or "." not in name.strip("."):
            checks.add(path, "a function's name must be MODULE.FUNCTION", "as in network.ip_addrs")
            continue
        found[name] = _Reader(checks).function(path, given)
    return found


class _Reader:
    """Reads the value under a function's name."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks

    def function(self, path: KeyPath, given: Any) -> DeclaredFunction:
        if not isinstance(given, Mapping) or _is_marked(given):
            return DeclaredFunction(None, self._answers(path, given))
        by_id = [
            (glob, self._answers((*path, glob), below))
            for glob, below in given.items()
            if self._is_glob((*path, glob), glob)
        ]
        if not given:
            remedy = f"'*': ... is for all minions, {{{ANSWER}: {{}}}} is the empty mapping"
            self._checks.add(path, f"'{path[-1]}' has no answer", remedy)
        return DeclaredFunction(tuple(by_id))

    def _is_glob(self, path: KeyPath, glob: Any) -> bool:
        if isinstance(glob, str) and glob:
            return True
        remedy = f"put it in quotes; write an answer that is a mapping under {ANSWER}"
        self._checks.add(path, "a minion glob must be text", remedy)
        return False

    def _answers(self, path: KeyPath, given: Any) -> DeclaredAnswers:
        if not isinstance(given, Mapping) or not _is_marked(given):
            return DeclaredAnswers(answers=(given,))
        for key in given:
            if key not in (ANSWER, CALLS):
                message = f"'{key}' is not known beside a $ key"
                self._checks.add((*path, key), message, suggest(key, (ANSWER, CALLS)))
        answers = (given[ANSWER],) if ANSWER in given else ()
        return DeclaredAnswers(tuple(self._calls((*path, CALLS), given.get(CALLS))), answers)

    def _calls(self, path: KeyPath, given: Any) -> Iterator[DeclaredCall]:
        if given is None:
            return
        if not isinstance(given, list | tuple):
            self._checks.mistype(path, given, "a list of {args: [...], answer: ...}")
            return
        for index, call in enumerate(given):
            at = (*path, index)
            if not isinstance(call, Mapping):
                self._checks.mistype(at, call, "{args: [...], kwargs: {...}, answer: ...}")
                continue
            self._checks.forbid_unknown(at, call, _CALL)
            if "answer" not in call:
                self._checks.add(at, "a call has no 'answer'", "say what it returns; null is one")
            args, kwargs = call.get("args"), call.get("kwargs")
            if args is not None and not isinstance(args, list | tuple):
                self._checks.mistype((*at, "args"), args, "a list of positional arguments")
                args = None
            if kwargs is not None and not isinstance(kwargs, Mapping):
                self._checks.mistype((*at, "kwargs"), kwargs, "a mapping of named arguments")
                kwargs = None
            yield DeclaredCall(None if args is None else tuple(args), kwargs, call.get("answer"))


def _is_marked(given: Mapping[Any, Any]) -> bool:
    """Say whether a key begins with ``$``: the mapping is neither globs nor an answer."""
    return any(isinstance(key, str) and key.startswith("$") for key in given)
