"""External pillars: what ``ext_pillar`` in the master's options asks for, by name."""

from collections.abc import Mapping

from pillarbook.compile.ext_pillars.git import GitPillar
from pillarbook.compile.ext_pillars.hierarchy import HierarchyPillar
from pillarbook.compile.ext_pillars.interface import (
    Compiler,
    ExtPillar,
    ExtPillarContext,
    QuietFailure,
    Registered,
)
from pillarbook.compile.ext_pillars.stack import PillarStack
from pillarbook.roots import RevisionTree

__all__ = [
    "Compiler",
    "ExtPillar",
    "ExtPillarContext",
    "QuietFailure",
    "Registered",
    "load_ext_pillars",
    "opened_trees",
]


def load_ext_pillars() -> Mapping[str, Registered]:
    """Return the external pillars by name, new ones for one run: they keep what they read."""
    return {
        "git": Registered(GitPillar(), is_compile=True),
        "hierarchy_pillar": Registered(HierarchyPillar(), joins_pillar=True),
        "stack": Registered(PillarStack()),
    }


def opened_trees(ext_pillars: Mapping[str, Registered]) -> tuple[RevisionTree, ...]:
    """Return the trees that external pillars have opened so far."""
    git = (one.run for one in ext_pillars.values() if isinstance(one.run, GitPillar))
    return tuple(tree for pillar in git for tree in pillar.trees)
