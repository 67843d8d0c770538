"""What is said of a call that nobody answers, with the lines that would declare an answer.

What a call was given may be a secret, so only what the file itself has written down is repeated:
the name, and arguments that are literals.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from pillarbook.compile.renderers.error_words import is_word_of, is_written
from pillarbook.compile.renderers.render_errors import RenderError

RULE = "undeclared-function"
CLOCK = "undeclared-clock"
NO_ANSWER = "which has no declared answer"
ANY = "*"
"""Stands for an argument that is no literal: a glob, for texts."""
# A suggestion that does not fit on a line helps nobody, and long literals are often data.
MAX_CHARACTERS = 300
"""Arguments that take more are left out."""
_SECRET_NAME = re.compile(r"pass|secret|token|credential|private|api_?key", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as a file has it written down."""

    name: str
    """The function: ``vault.read``."""
    args: tuple[Any, ...] = ()
    """The positional arguments; ``ANY`` where one is no literal."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """The named arguments."""
    line: int = 0
    """Its position."""


def find_call(
    calls: Iterable[WrittenCall], source: str, line: int | None, name: str
) -> WrittenCall | None:
    """Return the call that an error is most likely about; None where the file does not tell.

    Args:
        calls: The calls in the file.
        source: The file's text.
        line: Where the error came from.
        name: The function that was looked for, or just its module.
    """
    meant = [call for call in calls if call.name == name or call.name.startswith(f"{name}.")]
    if meant:
        return min(meant, key=lambda call: abs(call.line - (line or 0)))
    words = name.split(".")
    is_written = all(re.search(rf"\b{re.escape(word)}\b", source) for word in words)
    return WrittenCall(name) if is_written and _NAME.fullmatch(name) else None


def describe_unanswered(
    error: RenderError,
    name: str | None,
    call: WrittenCall | None,
    why: str | None = None,
    remedy: str | None = None,
) -> None:
    """Make an error one of a call without an answer.

    Args:
        error: What becomes a diagnostic.
        name: The function or its module, as far as it was looked for; it may be computed.
        call: The call as the file has it; None where it cannot be told.
        why: Why it is not answered, where a function is known: ``with a path outside ...``.
        remedy: What would answer it, besides a declared answer.
    """
    error.rule = RULE
    if call is None and why is not None and name is not None:
        call = WrittenCall(name)  # a name that is known is none of the tree's values
    if call is None or not _NAME.fullmatch(call.name):
        error.told = f"calls a function with a computed name, {NO_ANSWER}"
        error.help = "declare an answer in mkdocs.yml, under `functions`"
        return
    error.subject, error.subject_words = call.name, tuple(call.name.split("."))
    joint = ", " if why is None or why.startswith("which") else " "
    error.told = f"calls '{call.name}'{joint}{why or NO_ANSWER}"
    declares = f"declare an answer in mkdocs.yml: {declare(call)}"
    error.help = declares if remedy is None else f"{remedy}; or {declares}"


def describe_clock(error: RenderError) -> None:
    """Make an error one of a clock that is not declared."""
    error.rule, error.told = CLOCK, "reads the clock, and no time is declared"
    error.help = (
        "Salt uses the current time, so the value changes: declare a time with `--clock TIME`,"
        " `clock:` in mkdocs.yml or SOURCE_DATE_EPOCH, or write a full date"
    )


def declare(call: WrittenCall) -> str:
    """Return the line of mkdocs.yml that declares an answer to a call: a YAML flow mapping."""
    parts: dict[str, Any] = {}
    if call.args:
        parts["args"] = list(call.args)
    if call.kwargs:
        parts["kwargs"] = {
            key: ANY if _SECRET_NAME.search(key) else value for key, value in call.kwargs.items()
        }
    if not parts or len(repr(parts)) > MAX_CHARACTERS:
        return f"functions: {{{call.name}: {{'*': ...}}}}"
    written = ", ".join(f"{key}: {_flow(value)}" for key, value in parts.items())
    return f"functions: {{{call.name}: {{$calls: [{{{written}, answer: ...}}]}}}}"


def _flow(value: Any) -> str:
    try:
        text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6)
    except yaml.YAMLError:
        text = json.dumps(ANY)
    return text.removesuffix("\n").removesuffix("\n...")


COMPUTED = "*"
"""Stands for a key on the way that the file does not spell out, such as that of a loop."""
HELP = (
    "add the key, or read it by `pillar.get` with a default; a pillar SLS can read only the pillar"
    " of `ext_pillar_first` and of the command line"
)


def describe_missing_key(error: RenderError, path: tuple[Any, ...], source: str) -> None:
    """Make an error one of a key that the pillar does not have.

    Nothing is said where the file computes the key: it may be a secret then.
    """
    *above, name = map(str, path)
    if not is_written(name, source):
        return
    keys = [one if is_word_of(source, one) else COMPUTED for one in above]
    error.subject = ":".join((*keys, name))
    error.subject_words = (*(one for one in keys if one != COMPUTED), name)
    error.missing = ("key", error.subject)
    error.told = f"does not render: the pillar has no key '{error.subject}'"
    error.help = HELP
