"""Generates the code of templates that may meet unknown answers.

What Python would decide by itself goes through the environment: comparisons, loops, the parts of a
tuple, mappings, texts that are joined, and each variable that is read.
"""

from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame

from pillarbook.compile.renderers.jinja.linemap import PlacingCodeGenerator


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
