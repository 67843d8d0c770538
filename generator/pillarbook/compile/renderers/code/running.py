"""Runs code of the tree, and converts its results and exceptions."""

import io
import re
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol

from pillarbook.compile.renderers.code.code_calls import read_calls
from pillarbook.compile.renderers.code.code_globals import (
    CodeGlobals,
    MissingFunctionError,
    MissingKeyError,
)
from pillarbook.compile.renderers.code.record_opened import listen
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.jinja.function_errors import (
    UnansweredCallError,
    UndeclaredClockError,
)
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python, to_python
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import Line, Segment, SourceText
from pillarbook.compile.renderers.undeclared import (
    describe_clock,
    describe_missing_key,
    describe_unanswered,
    find_call,
)
from pillarbook.compile.renderers.written_values import find_constants

LINE_FEED = re.compile("\n")
IMPORTS_SALT = "it imports Salt's own code: install Salt into the same Python as pillarbook"
TELLING = (ImportError, MissingKeyError, SyntaxError)
"""Exceptions whose text has names of the code, and no values."""


class CodeFile(Protocol):
    """The file whose code runs."""

    @property
    def shown(self) -> str:
        """The file as it is shown."""

    @property
    def path(self) -> str:
        """The file's full path."""

    @property
    def content(self) -> str:
        """Its text."""


# By text and path, since tracebacks and origins contain the path. Code objects have no state: each
# run gets its own globals.
@lru_cache(maxsize=256)
def compile_code(text: str, path: str) -> CodeType:
    """Return the compiled code of a file.

    Raises:
        SyntaxError: It is not Python.
        ValueError: It contains a NUL.
    """
    return compile(text, path, "exec", dont_inherit=True)


def take_constants(context: RenderContext, code: str) -> None:
    """Note the secrets in code as literals, so that they are searched for."""
    named = context.template.named
    if named is not None:
        named.take_written(code, lambda: find_constants(code))


def run_code(
    context: CodeFile, given: CodeGlobals, call: Callable[[], Any], *, named: bool = True
) -> Any:
    """Return the result of code; its printed output is dropped, as on a master.

    Raises:
        RenderError: It raised an exception.
        TemplateWrites: It changed its inputs, and the compile records reads.
    """
    listen()
    try:
        with redirect_stdout(io.StringIO()):
            result = call()
    except (MemoryError, RenderError):
        raise
    except (Exception, SystemExit) as error:
        given.ledger.settle()
        raise word_error(error, context, named=named) from error
    return result


def word_error(error: BaseException, context: CodeFile, *, named: bool) -> RenderError:
    """Return the render error for an exception of the tree's code."""
    kind = type(error).__name__
    words = f"{kind}: {error}" if named and str(error) else (str(error) or kind)
    worded = RenderError(words, _place(error, context), foreign=not named)
    if isinstance(error, TELLING):
        worded.clean = f"{kind}: {error}"
    else:
        worded.clean = f"its code fails: {word_exception(error, context.content)}"
    if isinstance(error, MissingKeyError) and error.kind == "grains":
        name = worded.subject = str(error.args[0])
        worded.rule = "missing-grain"
        worded.help = f"declare the grain '{name}' in the inventory"
    if isinstance(error, MissingKeyError) and error.kind == "pillar":
        describe_missing_key(worded, error.args, context.content)
    worded.help = worded.help or find_missing_salt(error)
    _explain_call(worded, error, context)
    return worded


def find_missing_salt(error: BaseException) -> str | None:
    """Return the remedy if code imports Salt, which is no dependency; else None."""
    is_salt = isinstance(error, ImportError) and str(error.name).partition(".")[0] == "salt"
    return IMPORTS_SALT if is_salt else None


def _explain_call(worded: RenderError, error: BaseException, context: CodeFile) -> None:
    """Name the function without an answer, if the error is about one."""
    name = why = remedy = None
    if isinstance(error, UndeclaredClockError):
        describe_clock(worded)
    elif isinstance(error, UnansweredCallError):
        name, why, remedy = error.name, error.why, error.remedy
    elif isinstance(error, MissingFunctionError):
        name = error.looked_for
    elif isinstance(error, MissingKeyError) and error.kind == "salt":
        name = str(error.args[0])
    if name is not None:
        line = worded.place[1] if worded.place else None
        call = find_call(read_calls(context.content), context.content, line, name)
        describe_unanswered(worded, call, why, remedy)


def _place(error: BaseException, context: CodeFile) -> Line:
    if isinstance(error, SyntaxError) and error.filename == context.path:
        return context.shown, error.lineno
    frames = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == context.path
    ]
    return context.shown, frames[-1] if frames else 1


def take_result(
    result: Any, context: RenderContext, given: CodeGlobals, places: ValuePlaces, before: Rendered
) -> Rendered:
    """Return the result of code as text or data.

    ``given`` are the inputs of the code, ``before`` is the data before this renderer.

    Raises:
        RenderError: The data has a value that a pillar cannot have.
        TemplateWrites: The code changed its inputs, and the compile records reads.
    """
    made: Rendered
    text = result.read() if hasattr(result, "read") and callable(result.read) else result
    if isinstance(text, str):
        made = map_lines(str(text), before, context.shown)
    else:
        given.ledger.settle()
        made = from_python(text, places, context.limits)
    given.ledger.settle()
    return made


def map_lines(text: str, before: Rendered, shown: str) -> SourceText:
    """Return a text that code made from another text, with the origin of each line.

    If the code has changed the number of lines, a new line has no line of the file.
    """
    if not isinstance(before, SourceText):
        return SourceText(text, (Segment(0, shown, None, verbatim=False),))
    secret = before.secret_at(0, len(before.text))
    old, new = before.text.split("\n"), text.split("\n")
    starts = [0, *(match.end() for match in LINE_FEED.finditer(before.text))]
    known = dict(zip(reversed(old), reversed(starts), strict=True))
    segments: list[Segment] = []
    start = 0
    for number, line in enumerate(new):
        at = starts[number] if len(old) == len(new) else known.get(line)
        place = (shown, None) if at is None else before.locate(min(at, len(before.text)))
        segments.append(Segment(start, *place, verbatim=False, secret=secret))
        start += len(line) + 1
    return SourceText(text, tuple(segments))


def as_input(data: Rendered) -> Any:
    """Return the input for a renderer of the tree: a stream, or its own copy of data."""
    return io.StringIO(data.text) if isinstance(data, SourceText) else to_python(data)


def places_for(context: RenderContext, data: Rendered, line: int | None) -> ValuePlaces:
    """Return the positions for data that code returns."""
    origin = context.new_origin((context.shown, line), None)
    if isinstance(data, SourceText):
        return ValuePlaces(origin, secret=data.secret_at(0, len(data.text)))
    return ValuePlaces(origin, data)
