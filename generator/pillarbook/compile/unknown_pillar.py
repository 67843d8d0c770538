"""Which reads of a pillar with unknown values tell nothing for certain.

A value that is not known is handed on. But if keys are not known, or may be missing, nobody knows
what other reads of their mapping would find.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pillarbook.compile.reads import MISSING, Answer, Question, shows_unknown
from pillarbook.model import KeyPath, MapNode, Node
from pillarbook.model.unknown import UnknownKey, UnprovenUnknown, unknown_of


class UnknownPillar:
    """A pillar that templates read, with its unknown values."""

    def __init__(self, tree: MapNode) -> None:
        # By path: the mappings with keys that are not known (True), or that may be missing.
        self._unsure: Mapping[KeyPath, bool] = dict(_find_unsure(tree, ()))

    def is_read(self, asked: Mapping[Question, Answer], sls: str) -> bool:
        """Say whether an unknown value is among the answers that an SLS got.

        Raises:
            UnprovenUnknown: One of the answers is not certain.
        """
        if self._unsure and any(
            self._is_unsure(what, path, answer)
            for question, answer in asked.items()
            for what, path in _pillar_reads(question)
        ):
            raise UnprovenUnknown(sls or "top")
        return shows_unknown(asked.values())

    def _is_unsure(self, what: Any, path: KeyPath, answer: Answer) -> bool:
        if what == "whole":
            return any(unsure[: len(path)] == path for unsure in self._unsure)
        if what == "keys":
            return path in self._unsure
        is_open = self._unsure.get(path[:-1])
        return is_open is not None and (what == "has" or (is_open and answer == MISSING))


def _pillar_reads(question: Question) -> Iterator[tuple[Any, KeyPath]]:
    """Yield what a question asks of the pillar, and the path."""
    view, what, path = (*question, None, None)[:3]
    if isinstance(path, tuple):
        if view == "pillar":
            yield what, path
        elif view in ("opts", "master_opts") and (path[:1] == ("pillar",) or not path):
            yield what, path[1:]


def _find_unsure(node: Node, path: KeyPath) -> Iterator[tuple[KeyPath, bool]]:
    if not isinstance(node, MapNode):
        return
    is_open = node.kind == "open" or any(key.__class__ is UnknownKey for key in node.items)
    unknown = [one for one in map(unknown_of, node.items.values()) if one is not None]
    if is_open or any(one.may_miss or one.moves for one in unknown):
        yield path, is_open
    for key, item in node.items.items():
        yield from _find_unsure(item, (*path, key))
