"""The values that the text of a template gives to keys, in every branch."""

from collections.abc import Iterator

from jinja2 import nodes

from pillarbook.compile.renderers.jinja.literals import literals_given
from pillarbook.compile.renderers.written_values import (
    BLOCK,
    EXPRESSION,
    WrittenValue,
    find_in_lines,
)


def find_printed(template: nodes.Template) -> tuple[WrittenValue, ...]:
    """Return the values in the lines of a parsed template, each with its keys."""
    return tuple(find_in_lines("".join(_pieces(template))))


def _pieces(node: nodes.Node) -> Iterator[str]:
    """Yield the text below a node; of an expression, the literals that it may print."""
    if isinstance(node, nodes.Output):
        for one in node.nodes:
            if isinstance(one, nodes.TemplateData):
                yield one.data
            else:
                literals = (str(value) for value in literals_given(one))
                between = BLOCK.join(text for text in literals if "\n" not in text)
                yield f"{EXPRESSION}{BLOCK}{between}{BLOCK}{EXPRESSION}"
        return
    for _, below in node.iter_fields():
        # A field is a branch: `else` begins where `if` ends.
        yield BLOCK
        for child in below if isinstance(below, list) else ():
            if isinstance(child, nodes.Stmt):
                yield from _pieces(child)
    yield BLOCK
