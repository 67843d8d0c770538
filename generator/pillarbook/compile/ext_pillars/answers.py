"""External pillars whose data is in a file that the user wrote.

The file maps globs of minion ids to data. All matching globs count, in the order of the file:
mappings are merged at any depth, and for other values the later one wins.
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
        """Return the data in the file for a minion; the options of the external pillar are ignored.

        Raises:
            RenderError: The file cannot be read, or has another format.
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
    """Return the configuration with which a file answers an external pillar."""
    return (
        f"answer it from a file: set ext_pillars: {{{name}: answers/{name}.yml}}, and write"
        " {'*': {key: value}} into it; until then every pillar lacks its values"
    )
