"""Jinja templates rendered with the source line of each piece of output.

A compiled template is a generator that yields its output in pieces. While it is suspended at a
piece, its frame's line number leads to the template's line. Three changes to the code that Jinja
generates make that exact: each output node is yielded on its own with its line noted, constants
are not folded into literal text, and what an expression printed is told from literal text by its
type. An included or extended template yields pieces that are placed already.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.jinja.read_paths import ReadPath, prints_as_read, read_path_of
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Segment, SourceText

if TYPE_CHECKING:
    from pillarbook.compile.renderers.jinja.named_values import TemplateLiterals

_WRITTEN_AT_ONCE = (nodes.CallBlock, nodes.FilterBlock, nodes.For)
"""What a template gathers before it yields it."""

StreamFunction = Callable[[Context], Iterator[str]]


class Printed(str):
    """What an expression printed; all other output of a template is its literal text."""

    __slots__ = ()

    def begun_at(self, line: int, *, verbatim: bool = False) -> "Printed":
        """Return it with the line that it begins on, and whether its lines are the file's."""
        begun = _PrintedOverLines(self)
        begun.line = line
        begun.verbatim = verbatim
        return begun

    def read_from(self, path: ReadPath) -> "Printed":
        """Return it with the path of the value that was printed."""
        read = _PrintedValue(self)
        read.path = path
        return read


class _PrintedOverLines(Printed):
    """What begins on another line than the one that the code which yields it has."""

    __slots__ = ("line", "verbatim")
    line: int
    verbatim: bool


class _PrintedValue(Printed):
    """One value of the minion, and nothing else."""

    __slots__ = ("path",)
    path: ReadPath


def is_literal(parts: Iterable[str]) -> bool:
    """Say whether no expression printed any part of an output."""
    return all(
        part.verbatim if isinstance(part, Piece) else not isinstance(part, Printed)
        for part in parts
    )


class Piece(str):
    """A piece of output that knows its place."""

    __slots__ = ("line", "path", "shown", "verbatim")
    shown: str
    line: int
    verbatim: bool
    path: ReadPath | None


class PlacingCodeGenerator(CodeGenerator):
    """Generates code that yields each output node on its own, with its line noted."""

    _open_write: nodes.Node | None = None
    _prints_as_read = False

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 (Jinja's name)
        """Write a template."""
        self._prints_as_read = not self.environment.autoescape and prints_as_read(node)
        super().visit_Template(node, frame)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write the yields of one stretch of output."""
        for child in node.nodes if frame.buffer is None else ():
            self.newline(child)  # notes the line for literal text, too
            super().visit_Output(nodes.Output([child], lineno=child.lineno), frame)
        if frame.buffer is not None:
            super().visit_Output(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write an import; what gets another name is shown as what is given to a name."""
        super().visit_FromImport(node, frame)
        for _, alias in (one for one in node.names if isinstance(one, tuple)):
            variable = frame.symbols.ref(alias)
            self.writeline(f"{variable} = environment.imported_as({alias!r}, {variable})")
            if frame.toplevel:
                self.writeline(f"context.vars[{alias!r}] = {variable}")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        # Without this, constants of expressions are folded into literal text, and their line is
        # lost.
        if frame.buffer is None and not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return str(super()._output_child_to_const(node, frame, finalize))

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.buffer is None:
            self.write("environment.printed(")
        super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        super()._output_child_post(node, frame, finalize)
        if frame.buffer is None:
            self.write(")")
            # Jinja notes the line of the last filter or operator, and words errors with it.
            first = _earliest_line(node)
            path = read_path_of(node) if self._prints_as_read else None
            if first != node.lineno:
                self.write(f".begun_at({first})")
            elif path is not None:
                self.write(f".read_from({path!r})")

    def start_write(self, frame: Frame, node: nodes.Node | None = None) -> None:
        """Begin to write what a call block, a filter block or a recursive loop gives."""
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


def _earliest_line(node: nodes.Node) -> int:
    """Return the smallest line of a node and of what is below it; 0 where they have none."""
    if isinstance(node, nodes.Name | nodes.Const):
        return node.lineno
    lines = [node.lineno, *map(_earliest_line, node.iter_child_nodes())]
    return min((line for line in lines if line), default=0)


def _first_line(node: nodes.Node) -> int | None:
    """Return where a filter block's text begins; None where its lines are not those of the file."""
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
    """A template whose root and blocks yield placed pieces."""

    shown: str | None = None
    """The file as it is shown, once the template is placed."""
    literals: "TemplateLiterals"
    """What the template spells out."""

    def place(self, shown: str) -> None:
        """Make the template's functions yield pieces placed in ``shown``; once is enough."""
        if self.shown is not None:
            return
        self.shown = shown
        lines = _LineTable(self)
        self.root_render_func = _placed(self.root_render_func, lines, shown)
        for name, function in self.blocks.items():
            placed = self.blocks[name] = _placed(function, lines, shown)
            # What ``super()`` looks for among the blocks, by this name.
            function.__globals__[function.__name__] = placed


class _LineTable:
    """Lines of generated code to lines of the template."""

    def __init__(self, template: Template) -> None:
        pairs = sorted((code_line, line) for line, code_line in template.debug_info)
        self._code_lines = [code_line for code_line, _ in pairs]
        self._lines = [line for _, line in pairs]

    def template_line(self, code_line: int) -> int:
        """Return the template's line for a line of the generated code."""
        at = bisect_right(self._code_lines, code_line) - 1
        return self._lines[at] if at >= 0 else 1


def _placed(function: StreamFunction, lines: _LineTable, shown: str) -> StreamFunction:
    # By line of generated code; a loop yields the same few lines over and over.
    known: dict[int, int] = {}

    def placed_stream(context: Context) -> Iterator[str]:
        stream = function(context)
        frame = stream.gi_frame  # type: ignore[attr-defined]
        for text in stream:
            if text.__class__ is not Piece and text:
                piece = Piece(text)
                piece.shown = shown
                at = frame.f_lasti  # where it is suspended; its line takes long to find out
                if at not in known:
                    known[at] = lines.template_line(frame.f_lineno)
                piece.line = known[at]
                piece.verbatim = text.__class__ is str
                piece.path = None
                if text.__class__ is _PrintedValue:
                    piece.path = text.path
                elif text.__class__ is _PrintedOverLines:
                    piece.line, piece.verbatim = text.line, text.verbatim
                yield piece
            else:
                yield text

    return placed_stream


def render_with_map(
    template: Template,
    variables: Mapping[str, Any],
    shown: str,
    *,
    removed_line: int | None = None,
    limits: Limits | None = None,
    printed: dict[int, ReadPath] | None = None,
) -> SourceText:
    """Render a template; the text knows the line that each of its characters came from.

    Args:
        template: Compiled by an environment of this package.
        variables: What the template is given.
        shown: The template's file, as it is shown.
        removed_line: The line that was taken out of the file before it was compiled.
        limits: How much output there may be.
        printed: Gets the path of each value that the template's file printed, by the number of its
            segment.

    Raises:
        LimitExceeded: More output than that.
        Exception: Whatever the template raises, its traceback in terms of template lines.
    """
    if isinstance(template, PlacedTemplate):
        template.place(shown)
    most = (limits or Limits()).output
    texts: list[str] = []
    segments: list[Segment] = []
    values = {} if printed is None else printed
    length = 0
    context = template.new_context(dict(variables))
    try:
        for piece in filter(None, template.root_render_func(context)):
            _note_value(values, len(segments), piece, shown)
            segments.append(_segment(length, piece, shown))
            texts.append(piece)
            length += len(piece)
            if length > most:
                break
    except (LimitExceeded, MemoryError):
        raise  # the guard of the render finds the place in the frames as they are
    except Exception:  # noqa: BLE001 (re-raised by Jinja, with the template's lines)
        template.environment.handle_exception()
    if length > most:
        place = (segments[-1].file, segments[-1].line)
        raise LimitExceeded(f"the template printed more than {most:,} characters", place)
    text = "".join(texts)
    if removed_line is not None:
        segments = list(_restore_line(text, segments, shown, removed_line))
    return SourceText(text, tuple(segments) or (Segment(0, shown, 1, verbatim=False),))


def _note_value(printed: dict[int, ReadPath], number: int, piece: str, shown: str) -> None:
    """Note the path of a value that the template's own file printed."""
    if isinstance(piece, Piece) and piece.path is not None and piece.shown == shown:
        printed[number] = piece.path


def _segment(start: int, piece: str, shown: str) -> Segment:
    if isinstance(piece, Piece):
        return Segment(start, piece.shown, piece.line, verbatim=piece.verbatim)
    return Segment(start, shown, None, verbatim=False)


def _restore_line(
    text: str, segments: list[Segment], shown: str, removed: int
) -> Iterator[Segment]:
    """Count a line that was taken out of the file again, from where it stood."""
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
