"""Whether what differs depends on an answer that the configuration declares for a function."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, Remembered
from pillarbook.inventory.minions import Minion
from pillarbook.model import ListNode, MapNode, Node
from pillarbook.verify.dump_causes import DumpCause
from pillarbook.verify.dump_differences import Comparison, DumpDifference
from pillarbook.verify.printed_values import printed, printed_key

MAX_FUNCTIONS = 20
"""Declared functions that are tried."""
CompileWith = Callable[[Minion, Project], CompiledPillar]


class FunctionTrials:
    """Compiles minions without one declared answer after the other.

    Args:
        project: What compiles have in common.
        compile_with: Compiles a minion in a project.
    """

    def __init__(self, project: Project, compile_with: CompileWith) -> None:
        self._compile_with = compile_with
        declared = project.functions
        self._without = {
            name: replace(
                project,
                functions={one: answer for one, answer in declared.items() if one != name},
                remembered=Remembered(),
            )
            for name in list(declared)[:MAX_FUNCTIONS]
        }

    def causes(self, minion: Minion, comparison: Comparison) -> Iterator[DumpCause]:
        """Yield the functions whose declared answers have a part in what differs."""
        for name, project in self._without.items():
            tree = self._compile_with(minion, project).tree
            if any(_is_otherwise(one, tree) for one in comparison.differences):
                words = f"what differs depends on the declared answer of the function '{name}'"
                yield DumpCause("function", "likely", words)


def _is_otherwise(difference: DumpDifference, tree: MapNode) -> bool:
    """Say whether the part that differs is another one in a tree."""
    if difference.ours is None:
        return False
    node: Node | None = tree
    for key in difference.path:
        if isinstance(node, MapNode):
            names = {printed_key(one): item for one, item in node.items.items()}
            node = names.get(printed_key(key))
        elif isinstance(node, ListNode) and isinstance(key, int) and key < len(node.items):
            node = node.items[key]
        else:
            return True
    return node is None or _text(node) != _text(difference.ours)


def _text(node: Node) -> str:
    return json.dumps(printed(node), sort_keys=True)
