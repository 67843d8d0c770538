"""Renders Jinja templates with the source line of each piece of output.

A compiled template is a generator that yields its output in pieces. While it waits at a piece, the
line number of its frame leads to the template's line. Three changes to the generated code make this
exact: each output node is yielded by itself with its line noted; constants are not folded into
literal text; and printed values have another type than literal text. Included and extended
templates yield pieces with positions as well.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.jinja.evaluations import CompiledExpression
from pillarbook.compile.renderers.jinja.pure_expressions import (
    PureExpression,
    earliest_line,
    name_node,
)
from pillarbook.compile.renderers.jinja.template_expressions import find_expressions
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Segment, SourceText

if TYPE_CHECKING:
    from pillarbook.compile.renderers.jinja.template_secrets import TemplateLiterals

_WRITTEN_AT_ONCE = (nodes.CallBlock, nodes.FilterBlock, nodes.For)
"""Nodes whose output a template collects before it yields it."""

StreamFunction = Callable[[Context], Iterator[str]]


class Printed(str):
    """The output of an expression; all other output of a template is its literal text."""

    __slots__ = ()

    def begun_at(self, line: int, *, verbatim: bool = False) -> "Printed":
        """Return the output with its first line, and whether its lines are those of the file."""
        begun = _PrintedOverLines(self)
        begun.line = line
        begun.verbatim = verbatim
        return begun

    def evaluated_as(self, number: int) -> "Printed":
        """Return the output with the number of its evaluation."""
        evaluated = _PrintedEvaluation(self)
        evaluated.number = number
        return evaluated


class _PrintedOverLines(Printed):
    """Output that begins on another line than the code that yields it."""

    __slots__ = ("line", "verbatim")
    line: int
    verbatim: bool


class _PrintedEvaluation(Printed):
    """The output of a pure expression."""

    __slots__ = ("number",)
    number: int


def is_literal(parts: Iterable[str]) -> bool:
    """Say whether no part of an output was printed by an expression."""
    return all(
        part.verbatim if isinstance(part, Piece) else not isinstance(part, Printed)
        for part in parts
    )


class Piece(str):
    """A piece of output with its position."""

    __slots__ = ("evaluation", "line", "shown", "verbatim")
    shown: str
    line: int
    verbatim: bool
    evaluation: int | None


class PlacingCodeGenerator(CodeGenerator):
    """Generates code that yields each output node on its own, with its line noted."""

    _open_write: nodes.Node | None = None
    _pure: Mapping[int, PureExpression] = MappingProxyType({})
    _left: frozenset[int] = frozenset()

    def visit(self, node: nodes.Node, *arguments: Any, **options: Any) -> Any:
        """Write a node; a pure expression on whose value the rest depends, as an evaluation."""
        if id(node) not in self._left:
            return super().visit(node, *arguments, **options)
        self._left -= {id(node)}
        self.write("environment.decided(")
        self._begin_evaluation(self._pure[id(node)], arguments[0])
        self.write(", ")
        super().visit(node, *arguments, **options)
        self.write(")")
        return None

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 (Jinja's name)
        """Write a template."""
        if not self.environment.autoescape:
            self._pure = find_expressions(node, is_own=self.name is None)
            self._left = frozenset(at for at, one in self._pure.items() if one.decides is not None)
        super().visit_Template(node, frame)

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write an assignment; for a pure expression, as an evaluation."""
        pure = self._pure.get(id(node))
        if pure is None:
            super().visit_Assign(node, frame)
            return
        number = self.temporary_identifier()
        self.newline(node)
        self.write(f"{number} = ")
        self._begin_evaluation(pure, frame)
        super().visit_Assign(node, frame)
        self.writeline(f"environment.assigned({number}, {frame.symbols.ref(str(pure.target))})")

    def _begin_evaluation(self, pure: PureExpression, frame: Frame) -> None:
        """Write the begin of an evaluation of a pure expression, with the values of its names."""
        made = CompiledExpression(self.environment, pure)
        known: list[CompiledExpression] = self.environment.expressions  # type: ignore[attr-defined] # of this package
        self.write(f"environment.begin_evaluation(expressions[{len(known)}], (")
        known.append(made)
        for name in made.named:
            self.visit(name_node(name), frame)
            self.write(", ")
        self.write("))")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write the yields for consecutive output."""
        for child in node.nodes if frame.buffer is None else ():
            self.newline(child)  # notes the line for literal text, too
            super().visit_Output(nodes.Output([child], lineno=child.lineno), frame)
        if frame.buffer is not None:
            super().visit_Output(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write an import; a name that is imported under another one is like an assignment."""
        super().visit_FromImport(node, frame)
        for _, alias in (one for one in node.names if isinstance(one, tuple)):
            variable = frame.symbols.ref(alias)
            self.writeline(f"{variable} = environment.imported_as({alias!r}, {variable})")
            if frame.toplevel:
                self.writeline(f"context.vars[{alias!r}] = {variable}")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        # Otherwise constants in expressions are folded into literal text, and their line is lost.
        if frame.buffer is None and not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return str(super()._output_child_to_const(node, frame, finalize))

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.buffer is None:
            self.write("environment.printed(")
            pure = self._pure.get(id(node))
            if pure is not None:
                self._begin_evaluation(pure, frame)
                self.write(", ")
        super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        super()._output_child_post(node, frame, finalize)
        if frame.buffer is None:
            self.write(")")
            # Jinja notes the line of the last filter or operator, which is in error messages.
            first = earliest_line(node)
            if first != node.lineno:
                self.write(f".begun_at({first})")

    def start_write(self, frame: Frame, node: nodes.Node | None = None) -> None:
        """Begin to write the output of a call block, a filter block or a recursive loop."""
        super().start_write(frame, node)
        if frame.buffer is None and isinstance(node, _WRITTEN_AT_ONCE):
            self.write("environment.printed(")
            self._open_write = node

    def end_write(self, frame: Frame) -> None:
        """End what ``start_write`` began."""
        if frame.buffer is None and self._open_write is not None:
            line = _first_line(self._open_write)
            self.write(")" if line is None else f").begun_at({line}, verbatim=True)")
            self._open_write = None
        super().end_write(frame)


def _first_line(node: nodes.Node) -> int | None:
    """Return the first line of a filter block's text; None if its lines differ from the file's."""
    if not isinstance(node, nodes.FilterBlock):
        return None
    first = line = None
    for part in node.body:
        if not isinstance(part, nodes.Output):
            return None
        for child in part.nodes:
            if first is None:
                first = line = child.lineno
            if child.lineno != line:
                return None
            line += child.data.count("\n") if isinstance(child, nodes.TemplateData) else 0
    return first


class PlacedTemplate(Template):
    """A template whose root and blocks yield pieces with positions."""

    shown: str | None = None
    """The file as it is shown; set by ``place``."""
    literals: "TemplateLiterals"
    """The literals of the template."""
    names: frozenset[str]
    """The variables of the template."""

    @classmethod
    def from_code(
        cls,
        environment: Any,
        code: CodeType,
        globals: Any,  # noqa: A002 (Jinja's name)
        uptodate: Any = None,
    ) -> Self:
        """Return a template; its globals contain the pure expressions for its code."""
        made = super().from_code(environment, code, globals, uptodate)
        made.root_render_func.__globals__["expressions"] = environment.expressions
        return made  # type: ignore[return-value] # it makes its own class

    def place(self, shown: str) -> None:
        """Make the template's functions yield pieces with positions in ``shown``; called once."""
        if self.shown is not None:
            return
        self.shown = shown
        lines = sorted((code_line, line) for line, code_line in self.debug_info)
        self.root_render_func = _placed(self.root_render_func, lines, shown)
        for name, function in self.blocks.items():
            placed = self.blocks[name] = _placed(function, lines, shown)
            # `super()` looks for this name among the blocks.
            function.__globals__[function.__name__] = placed


def _placed(
    function: StreamFunction, lines: Sequence[tuple[int, int]], shown: str
) -> StreamFunction:
    """Return a function of a template that yields pieces with positions.

    ``lines`` are lines of generated code, sorted, each with the template's line.
    """
    # By line of generated code, because a loop yields the same lines many times.
    known: dict[int, int] = {}

    def placed_stream(context: Context) -> Iterator[str]:
        stream = function(context)
        frame = stream.gi_frame  # type: ignore[attr-defined]
        for text in stream:
            if text.__class__ is not Piece and text:
                piece = Piece(text)
                piece.shown = shown
                at = frame.f_lasti  # the position of the wait; to find its line is slow
                if at not in known:
                    after = bisect_right(lines, frame.f_lineno, key=itemgetter(0))
                    known[at] = lines[after - 1][1] if after else 1
                piece.line = known[at]
                piece.verbatim = text.__class__ is str
                piece.evaluation = None
                if text.__class__ is _PrintedEvaluation:
                    piece.evaluation = text.number
                elif text.__class__ is _PrintedOverLines:
                    piece.line, piece.verbatim = text.line, text.verbatim
                yield piece
            else:
                yield text

    return placed_stream


def render_with_map(  # noqa: PLR0913 (each is one thing)
    template: Template,
    variables: Mapping[str, Any],
    shown: str,
    *,
    removed_line: int | None = None,
    limits: Limits | None = None,
    printed: dict[int, int] | None = None,
    note: Callable[[str], str] | None = None,
) -> SourceText:
    """Render a template; the result has the source line of each character.

    ``removed_line`` is the line that was removed from the file before the compile. ``printed`` gets
    the number of each printed evaluation, by the number of its segment. ``note`` is called with
    each piece before the template goes on, and returns it.

    Raises:
        LimitExceeded: There is more output.
        Exception: Any exception of the template, with its traceback in lines of the template.
    """
    if isinstance(template, PlacedTemplate):
        template.place(shown)
    most = (limits or Limits()).output
    pieces: list[str] = []
    length = 0
    context = template.new_context(dict(variables))
    try:
        stream = filter(None, template.root_render_func(context))
        for piece in stream if note is None else map(note, stream):
            pieces.append(piece)
            length += len(piece)
            if length > most:
                break
    except (LimitExceeded, MemoryError):
        raise  # the guard of the render finds the line in these frames
    except Exception:  # noqa: BLE001 (re-raised by Jinja, with the template's lines)
        template.environment.handle_exception()
    if length > most:
        last = _segment(0, pieces[-1], shown)
        message = f"the template printed more than {most:,} characters"
        raise LimitExceeded(message, (last.file, last.line))
    if printed is not None:
        numbers = ((at, getattr(piece, "evaluation", None)) for at, piece in enumerate(pieces))
        printed.update((at, number) for at, number in numbers if number is not None)
    return _join(pieces, shown, removed_line)


def _join(pieces: list[str], shown: str, removed_line: int | None) -> SourceText:
    segments: list[Segment] = []
    length = 0
    for piece in pieces:
        segments.append(_segment(length, piece, shown))
        length += len(piece)
    text = "".join(pieces)
    if removed_line is not None:
        segments = list(_restore_line(text, segments, shown, removed_line))
    return SourceText(text, tuple(segments) or (Segment(0, shown, 1, verbatim=False),))


def _segment(start: int, piece: str, shown: str) -> Segment:
    if isinstance(piece, Piece):
        return Segment(start, piece.shown, piece.line, verbatim=piece.verbatim)
    return Segment(start, shown, None, verbatim=False)


def _restore_line(
    text: str, segments: list[Segment], shown: str, removed: int
) -> Iterator[Segment]:
    """Add the removed line again to the numbers of later lines."""
    ends = [segment.start for segment in segments[1:]] + [len(text)]
    for segment, end in zip(segments, ends, strict=True):
        if segment.file != shown or segment.line is None:
            yield segment
            continue
        if segment.line >= removed:
            yield Segment(segment.start, shown, segment.line + 1, verbatim=segment.verbatim)
            continue
        yield segment
        at = segment.start
        for _ in range(removed - segment.line):
            at = text.find("\n", at, end) + 1
            if not at:
                break
        if segment.verbatim and 0 < at < end:
            yield Segment(at, shown, removed + 1, verbatim=True)
