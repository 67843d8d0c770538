"""The ``mako`` renderer.

Mako compiles a template to a function that writes its output piece by piece. The line of the frame
that writes is in the generated code, and Mako knows the line of the template for it.

Source: Salt ``salt/renderers/mako.py``, ``salt/utils/templates.py`` (``render_mako_tmpl``),
``salt/utils/mako.py``.
"""

import posixpath
import re
import sys
from collections.abc import Iterator
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.running import run_code
from pillarbook.compile.renderers.jinja.render import trace_back
from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.template_variables import template_variables
from pillarbook.compile.renderers.written_values import (
    BLOCK,
    EXPRESSION,
    WrittenValue,
    find_constants,
    find_in_lines,
)

UNDEFINED = re.compile(r"'(\w+)' is not defined")
LITERAL = ("__M_writer('", '__M_writer("')
"""How generated code writes literal text of the template."""


def render(context: RenderContext, data: Rendered, argline: str) -> SourceText:
    """Return the text of a template.

    Raises:
        RenderError: The template is invalid, or raises an exception.
        LimitExceeded: It prints too much.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'")
    given = CodeGlobals.to(context)
    output = _Output(context.limits, context.shown)
    more = {"argline": argline} if argline else {}
    variables = template_variables(context, given, **more)

    def call() -> None:
        from mako.runtime import Context  # noqa: PLC0415 (few trees need it)

        templates = _Templates(context, output)
        template = templates.make(data.text, context.sls.replace(".", "/"), context.shown)
        template.render_context(Context(output, **variables))

    try:
        run_code(context, given, call)
    except RenderError as error:
        place = output.place_of(error.__cause__ or error) or error.place
        if place is not None and place[1] is None:
            place = (place[0], _find_name(data, str(error)))
        error.place = place
        raise
    given.ledger.settle()
    rendered = trace_back(output.text(), data)
    secret = data.secret_at(0, len(data.text))
    return rendered if secret is None else rendered.mark_secret(secret)


def _find_name(data: SourceText, words: str) -> int | None:
    """Return the first line with the name that is not defined by an error message."""
    missing = UNDEFINED.search(words)
    found = missing and re.search(rf"\b{missing.group(1)}\b", data.text)
    return data.locate(found.start())[1] if found else None


class _Templates:
    """Makes templates, and finds their includes in the state tree, as Salt does."""

    def __init__(self, context: RenderContext, output: "_Output") -> None:
        self._context = context
        self._output = output
        self._made: dict[str, Any] = {}

    def make(self, text: str, uri: str, shown: str) -> Any:
        """Return the compiled template of a text."""
        from mako.template import ModuleInfo, Template  # noqa: PLC0415 (few trees need it)

        named = self._context.template.named
        if named is not None:
            named.take_written(text, lambda: _find_written(text))
        template = Template(text, uri=uri, strict_undefined=True, lookup=self)  # noqa: S702 (Salt's)
        code = template.code
        lines = ModuleInfo.get_module_source_metadata(code, full_line_map=True)["full_line_map"]
        self._output.know(template.module.__name__, shown, lines, code)
        return template

    def adjust_uri(self, uri: str, relative_to: str) -> str:
        """Return the full address for an address in a template."""
        if "://" in uri or uri.startswith("/"):
            return uri
        return posixpath.normpath(posixpath.join(posixpath.dirname(relative_to or ""), uri))

    def get_template(self, uri: str, relativeto: str | None = None) -> Any:
        """Return the template at an address."""
        del relativeto
        path = _below_roots(uri)
        if path not in self._made:
            found = self._context.template.find_state(path, self._context.saltenv)
            if found is None:
                error = RenderError(f"Cant locate template for uri '{uri}'", rule="missing-import")
                error.subject = path
                error.help = "add the file; Mako looks for includes in `file_roots`"
                raise error
            text = found.content.decode("utf-8")
            self._made[path] = self.make(text, path, found.shown)
        return self._made[path]

    def has_template(self, uri: str) -> bool:
        """Say whether there is a template at an address."""
        return (
            self._context.template.find_state(_below_roots(uri), self._context.saltenv) is not None
        )


def _find_written(text: str) -> Iterator[WrittenValue]:
    """Yield the values that a template sets, in its lines and in its code."""
    from mako import parsetree  # noqa: PLC0415 (few trees need it)
    from mako.exceptions import MakoException  # noqa: PLC0415 (likewise)
    from mako.lexer import Lexer  # noqa: PLC0415 (likewise)

    try:
        tree = Lexer(text).parse()
    except MakoException:
        return  # it cannot be rendered, either
    pieces, several = [], list(reversed(tree.nodes))
    while several:
        node = several.pop()
        several.extend(reversed(getattr(node, "nodes", ())))
        if isinstance(node, parsetree.Code):
            yield from find_constants(node.text)
        if isinstance(node, parsetree.Text):
            pieces.append(node.content)
        else:
            pieces.append(EXPRESSION if isinstance(node, parsetree.Expression) else BLOCK)
    yield from find_in_lines("".join(pieces))


def _below_roots(uri: str) -> str:
    return uri.removeprefix("salt://").lstrip("/")


class _Output:
    """The output of a template, with the line of each piece."""

    def __init__(self, limits: Limits, shown: str) -> None:
        self._limits = limits
        self._shown = shown
        self._pieces: list[str] = []
        self._segments: list[Segment] = []
        self._length = 0
        self._known: dict[str, tuple[str, list[int], list[str]]] = {}

    def know(self, module: str, shown: str, lines: list[int], code: str) -> None:
        """Note the generated code of a template."""
        self._known[module] = (shown, lines, code.split("\n"))

    def write(self, piece: str) -> None:
        """Add a piece; generated code calls this."""
        if not piece:
            return
        frame = sys._getframe(1)  # noqa: SLF001 (the line that writes is there and nowhere else)
        file, line, literal = self._look_up(frame.f_code.co_filename, frame.f_lineno)
        self._segments.append(Segment(self._length, file, line, verbatim=literal))
        self._pieces.append(piece)
        self._length += len(piece)
        if self._length > self._limits.output:
            message = f"it prints more than {self._limits.output:,} characters"
            raise LimitExceeded(message, (file, line))

    def _look_up(self, module: str, number: int) -> tuple[str, int | None, bool]:
        known = self._known.get(module)
        if known is None:
            return self._shown, None, False
        shown, lines, code = known
        line = lines[number - 1] if number <= len(lines) else None
        literal = number <= len(code) and code[number - 1].lstrip().startswith(LITERAL)
        return shown, line or None, literal

    def place_of(self, error: BaseException | None) -> tuple[str, int | None] | None:
        """Return the position in a template that raised an exception."""
        if error is not None and isinstance(getattr(error, "lineno", None), int):
            return self._shown, error.lineno  # type: ignore[attr-defined] # Mako's own
        trace = error.__traceback__ if error is not None else None
        place = None
        while trace is not None:
            module = trace.tb_frame.f_code.co_filename
            if module in self._known:
                file, line, _ = self._look_up(module, trace.tb_lineno)
                place = (file, line)
            trace = trace.tb_next
        return place

    def text(self) -> SourceText:
        """Return the whole output."""
        segments = tuple(self._segments) or (Segment(0, self._shown, 1, verbatim=False),)
        return SourceText("".join(self._pieces), segments)
