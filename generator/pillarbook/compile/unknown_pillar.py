"""Which reads of a pillar with unknown values tell nothing for certain.

A value that is not known is handed on. But if keys are not known, or may be missing, nobody knows
what other reads of their mapping would find.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pillarbook.compile.project import Remembered
from pillarbook.compile.reads import MISSING, Answer, Question, shows_unknown
from pillarbook.model import KeyPath, MapNode, Node
from pillarbook.model.unknown import UnknownKey, UnprovenUnknown, unknown_of


class UnknownPillar:
    """A pillar that templates read, with its unknown values; what minions share is read once."""

    def __init__(self, tree: MapNode, remembered: Remembered) -> None:
        # By path: the mappings with keys that are not known (True), or that may be missing.
        unsure = dict(_unsure_in(tree, ()))
        for key, item in tree.items.items():
            find = partial(_find_unsure, item, (key,))
            unsure |= remembered.derive_of_node(("unsure", key.__class__, key, item), find)
        self._unsure: Mapping[KeyPath, bool] = unsure

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


def _find_unsure(node: Node, path: KeyPath) -> dict[KeyPath, bool]:
    """Return the mappings at and below a node that are not certain."""
    if not isinstance(node, MapNode):
        return {}
    unsure = dict(_unsure_in(node, path))
    for key, item in node.items.items():
        unsure |= _find_unsure(item, (*path, key))
    return unsure


def _unsure_in(node: MapNode, path: KeyPath) -> Iterator[tuple[KeyPath, bool]]:
    is_open = node.kind == "open" or any(key.__class__ is UnknownKey for key in node.items)
    unknown = [one for one in map(unknown_of, node.items.values()) if one is not None]
    if is_open or any(one.may_miss or one.moves for one in unknown):
        yield path, is_open
