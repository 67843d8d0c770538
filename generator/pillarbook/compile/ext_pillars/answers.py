"""External pillars answered from a file that somebody wrote.

The file maps globs of minion ids to data. All that match count, in the order of the file: mappings
join at any depth, else the later one wins.
"""

import fnmatch
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.merge import Merger, MergeRules
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, MapNode, Node

RULES = MergeRules(strategy="recurse", merge_lists=False)


class AnsweredPillar:
    """The external pillar; reads its file once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        """The file."""
        self._tree: Node | None = None
        self._is_read = False
        self._merger = Merger(RULES, {})

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:  # noqa: ARG002 (see below)
        """Return what the file has for a minion; what the options ask for is not looked at.

        Raises:
            RenderError: The file cannot be read, or is not of its form.
        """
        context.note_file(self.file)
        if not self._is_read:
            self._tree = self._read(context)
            self._is_read = True
        answer: Node | None = None
        tree = self._tree
        for glob, node in tree.items.items() if isinstance(tree, MapNode) else ():
            if fnmatch.fnmatchcase(context.minion_id, str(glob)) and isinstance(node, MapNode):
                answer = node if answer is None else self._merger.merge(answer, node)
        return answer

    def _read(self, context: ExtPillarContext) -> Node | None:
        shown = context.shown(self.file)
        tree = context.load_yaml(context.read_file(self.file))
        if tree is not None and not isinstance(tree, MapNode):
            raise _misshapen(shown, tree)
        for node in () if tree is None else tree.items.values():
            if not isinstance(node, MapNode) and not (
                isinstance(node, Leaf) and node.value is None
            ):
                raise _misshapen(shown, node)
        return tree


def _misshapen(shown: str, node: Node) -> RenderError:
    message = f"{shown} must be a mapping of minion globs to mappings"
    return RenderError(message, (shown, node.origins[-1].line))


def answer_lines(name: str) -> str:
    """Return what to write into the configuration to answer an external pillar from a file."""
    return (
        "its values are missing in every pillar; to answer it from a file, set"
        f" ext_pillars: {{{name}: answers/{name}.yml}}, and write {{'*': {{key: value}}}} into it"
    )
