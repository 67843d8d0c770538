"""What the code of templates does with answers that are not known, besides calls and filters.

What Python would decide by itself goes through the environment: comparisons, loops, the parts of a
tuple, mappings, texts that are joined, and each variable that is read.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.environment import TemplateModule

from pillarbook.compile.renderers.jinja.decisions import Rounds
from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.functions.unknown_sources import CallSources
from pillarbook.compile.renderers.jinja.linemap import PlacingCodeGenerator
from pillarbook.compile.renderers.jinja.unknown_answers import (
    UnknownAnswer,
    UnknownAnswers,
    is_sealed,
)
from pillarbook.compile.renderers.undeclared import WrittenCall
from pillarbook.model.limited_cache import LimitedCache

_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
    "in": lambda left, right: left in right,
    "notin": lambda left, right: left not in right,
}
MAX_TEXTS = 500
"""The most templates of which the calls are kept."""
MAX_ROUNDS = 2
"""The most rounds of a loop over something unknown: what a second one does, any later one does."""


class UnknownCodeGenerator(PlacingCodeGenerator):
    """Generates code for an ``UnknownEnvironment``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # By `id` of a node, what is written around it.
        self._around: dict[int, tuple[str, str]] = {}

    def visit(self, node: nodes.Node, *arguments: Any, **options: Any) -> Any:
        """Write a node."""
        around = self._around.pop(id(node), None)
        if around is None:
            return super().visit(node, *arguments, **options)
        self.write(around[0])
        super().visit(node, *arguments, **options)
        self.write(around[1])
        return None

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write what joins texts."""
        self.write("environment.join_texts((")
        for one in node.nodes:
            self.visit(one, frame)
            self.write(", ")
        self.write("))")

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write a variable."""
        if node.ctx != "load":
            super().visit_Name(node, frame)
            return
        self.write("environment.lift(")
        super().visit_Name(node, frame)
        self.write(")")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write a comparison."""
        if len(node.ops) != 1:
            for one in (node.expr, *(operand.expr for operand in node.ops)):
                self._around[id(one)] = ("environment.known(", ")")
            super().visit_Compare(node, frame)
            return
        operand = node.ops[0]
        self.write(f"environment.compare({operand.op!r}, ")
        self.visit(node.expr, frame)
        self.write(", ")
        self.visit(operand.expr, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write a mapping."""
        self.write("environment.mapping((")
        for item in node.items:
            self.write("(")
            self.visit(item.key, frame)
            self.write(", ")
            self.visit(item.value, frame)
            self.write("), ")
        self.write("))")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write a loop."""
        if node.recursive:
            self.writeline("environment.refuse()", node)
        self._around[id(node.iter)] = ("environment.rounds(", f", {_shape(node.target)!r})")
        super().visit_For(node, frame)

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write an assignment."""
        if node.find(nodes.NSRef) is not None or isinstance(node.target, nodes.NSRef):
            self._around[id(node.node)] = ("environment.changed(", f", {_shape(node.target)!r})")
        elif isinstance(node.target, nodes.Tuple) and not isinstance(node.node, nodes.Tuple):
            self._around[id(node.node)] = ("environment.unpack(", f", {_shape(node.target)!r})")
        super().visit_Assign(node, frame)

    def visit_AssignBlock(self, node: nodes.AssignBlock, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write an assignment of a block."""
        if isinstance(node.target, nodes.NSRef):
            self.writeline("environment.refuse(is_change=True)", node)
        super().visit_AssignBlock(node, frame)


def _shape(target: nodes.Node) -> Any:
    """Return how the parts of a tuple lie in each other; None for a single name."""
    return tuple(map(_shape, target.items)) if isinstance(target, nodes.Tuple) else None


class UnknownOperations(SaltEnvironment):
    """Salt's environment with what ``UnknownCodeGenerator`` writes calls of."""

    code_generator_class = UnknownCodeGenerator

    def __init__(self, arguments: Mapping[str, Any], *, allow_undefined: bool) -> None:
        self._answers: UnknownAnswers | None = None
        # Each trial and each minion renders the same few templates.
        self._calls = LimitedCache[str, list[WrittenCall]](MAX_TEXTS)
        super().__init__(arguments, allow_undefined=allow_undefined)

    @property
    def answers(self) -> UnknownAnswers:
        """The unknown answers of the render."""
        assert self._answers is not None  # noqa: S101 (set before each render)
        return self._answers

    def prepare(self, answers: UnknownAnswers, source: str) -> None:
        """Begin a render with unknown answers."""
        self._answers = answers
        answers.path.environment = self

        def texts() -> Iterable[str]:
            yield source
            yield from (text for _, text in self.imported.values())

        def hides(value: Any) -> bool:
            return self.named is not None and self.named.is_word(value)

        answers.describe = CallSources(self, texts, self._calls, hides).describe

    def lift(self, value: Any) -> Any:
        """Return the value of a variable."""
        return value if self._answers is None else self._answers.lift(value)

    def concat(self, parts: Iterable[str]) -> Any:
        """Return the text of a macro, a block or an assignment."""
        return "".join(parts) if self._answers is None else self._answers.join(parts)

    def join_texts(self, values: Iterable[Any]) -> Any:
        """Return values as one text: ``~``."""
        return self.concat([str(self.shown(one)) for one in values])

    def compare(self, name: str, left: Any, right: Any) -> Any:
        """Return the result of a comparison."""
        if self.holds(left, right):
            pair = left, right
            has_outcome = any(map(is_sealed, pair)) and any(map(_is_no_text, pair))
            if has_outcome and name in ("eq", "ne"):
                return name == "ne"
            return self.answers.decide(left, right, default=name in ("ne", "notin"))
        return _COMPARED[name](left, right)

    def known(self, value: Any) -> Any:
        """Return a value that is known; refuse another one."""
        if self.holds(value):
            raise self.answers.refuse()
        return value

    def refuse(self, *, is_change: bool = False) -> None:
        """Refuse a loop that calls itself, or a change in a loop of unknown rounds."""
        if not is_change or self.answers.path.note_change():
            raise self.answers.refuse()

    def mapping(self, pairs: tuple[tuple[Any, Any], ...]) -> Any:
        """Return what a mapping in a template makes."""
        if self.holds(*(key for key, _ in pairs)):
            return self.answers.derive(pairs)
        return dict(pairs)

    def changed(self, value: Any, shape: Any) -> Any:
        """Return a value for an attribute of a namespace."""
        over = self.answers.path.note_change()
        return self.unpack(self.answers.derive(value, *over) if over else value, shape)

    def unpack(self, value: Any, shape: Any) -> Any:
        """Return a value with as many parts as there are names for them."""
        if shape is None:
            return value
        value = self.lift(value)
        if value.__class__ is UnknownAnswer:
            return tuple(self.unpack(value.part(), one) for one in shape)
        if isinstance(value, tuple | list) and len(value) == len(shape):
            return tuple(map(self.unpack, value, shape))
        return value

    def rounds(self, values: Any, shape: Any) -> Any:
        """Return what a loop goes over."""
        return _Loop(self, self.lift(values), shape)

    def written(self, value: Any, mark: str = "", level: int = 0) -> Any:
        """Return a container with texts for unknown members; itself if that cannot be."""
        if value.__class__ is UnknownAnswer:
            return mark + str(value)
        if level > 20 or not self.holds(value):
            return value
        if id(value) in self.answers.path.tainted:
            return mark + str(self.answers.lift(value))
        if value.__class__ is dict:
            return {key: self.written(item, mark, level + 1) for key, item in value.items()}
        if value.__class__ in (list, tuple):
            return value.__class__(self.written(item, mark, level + 1) for item in value)
        return str(self.answers.derive(value))

    def shown(self, value: Any) -> Any:
        """Return a value as a template prints it."""
        if value.__class__ is UnknownAnswer or not self.holds(value):
            return value
        return self.written(value)

    def holds(self, *values: Any) -> bool:
        """Say whether something unknown is in some values."""
        return self._answers is not None and any(map(self._is_unknown, values))

    def _is_unknown(self, value: Any) -> bool:
        if isinstance(value, TemplateModule):
            return self.answers.holds_token(str(value))
        return self.answers.holds_unknown(value)


def _is_no_text(value: Any) -> bool:
    """Say whether a value is none that is encrypted."""
    return value is None or value.__class__ is bool or (value.__class__ is str and not value)


class _Loop:
    """What a loop goes over, with the number of rounds noted."""

    __slots__ = ("_environment", "_shape", "_values")

    def __init__(self, environment: UnknownOperations, values: Any, shape: Any) -> None:
        self._environment = environment
        self._values = values
        self._shape = shape

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        answers = self._environment.answers
        if self._values.__class__ is UnknownAnswer:
            return self._unknown_rounds(answers)
        return self._known_rounds(answers, iter(self._values))

    def _known_rounds(self, answers: UnknownAnswers, values: Iterator[Any]) -> Iterator[Any]:
        loop, open_loops = Rounds(), answers.path.open_loops
        open_loops.append(loop)
        try:
            for value in values:
                loop.number += 1
                yield self._environment.lift(self._environment.unpack(value, self._shape))
        finally:
            open_loops.remove(loop)

    def _unknown_rounds(self, answers: UnknownAnswers) -> Iterator[Any]:
        loop, open_loops = Rounds(over=self._values), answers.path.open_loops
        while loop.number < MAX_ROUNDS and answers.decide(self._values, default=loop.number == 0):
            loop.number += 1
            open_loops.append(loop)
            try:
                yield self._environment.unpack(self._values.part(), self._shape)
            finally:
                open_loops.remove(loop)
