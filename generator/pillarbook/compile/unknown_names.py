"""Reports names that are not known: keys of the pillar, and SLS files that are included."""

from collections.abc import Iterator

from pillarbook.compile.unknown_includes import INCLUDE
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import ListNode, MapNode, Node
from pillarbook.model.unknown import UnknownKey, unknown_of

CODE = "unknown-name"
REMEDY = "declare answers; `pillarbook answers list` prints the lines for that"


def describe_unknown_names(tree: Node | None) -> tuple[Diagnostic, ...]:
    """Return a note for each line of an SLS with a name that is not known."""
    found = {str(one.position): one for one in _find(tree)}
    return tuple(found.values())


def _find(node: Node | None, *, is_top: bool = True) -> Iterator[Diagnostic]:
    if isinstance(node, MapNode):
        for key, item in node.items.items():
            if is_top and key == INCLUDE and isinstance(item, ListNode):
                for entry in item.items:
                    yield from _describe("the name of an SLS that is included", entry)
            elif key.__class__ is UnknownKey:
                yield from _describe("a key", item)
            else:
                yield from _find(item, is_top=False)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _find(item, is_top=False)


def _describe(what: str, node: Node) -> Iterator[Diagnostic]:
    unknown = unknown_of(node)
    if unknown is not None and node.origins:
        last = node.origins[-1]
        message = f"{what} is not known, because it depends on {', '.join(unknown.sources)}"
        yield new_diagnostic(CODE, message, last.position, remedy=REMEDY)
