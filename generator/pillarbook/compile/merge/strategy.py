"""Which of Salt's merge strategies is meant, and how it fails.

Source: Salt ``salt/utils/dictupdate.py`` (``merge``).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class MergeRules:
    """How two pillars become one; the same for a whole compile."""

    strategy: str
    """``recurse``, ``overwrite``, ``list``, ``aggregate`` or ``none``; any other recurses."""
    merge_lists: bool
    """``pillar_merge_lists``: append lists rather than replace them."""


class MergeError(Exception):
    """Data that Salt cannot merge, and breaks the compile off for; the text is Salt's."""


def resolve_strategy(strategy: Any, renderer: str) -> str:
    """Return the name of a strategy, with ``smart`` resolved by the default renderer.

    ``renderer`` is the option, such as ``jinja|yaml``; ``strategy`` is falsy if not set.
    """
    if strategy and strategy != "smart":
        return str(strategy)
    if renderer.rpartition("|")[2] == "yamlex" or renderer.startswith("yamlex_"):
        return "aggregate"
    return "recurse"
