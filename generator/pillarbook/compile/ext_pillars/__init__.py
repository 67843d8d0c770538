"""External pillars: what ``ext_pillar`` in the master's options asks for, by name."""

from collections.abc import Mapping

from pillarbook.compile.ext_pillars.hierarchy import HierarchyPillar
from pillarbook.compile.ext_pillars.interface import ExtPillar, ExtPillarContext, QuietFailure
from pillarbook.compile.ext_pillars.stack import PillarStack

__all__ = ["ExtPillar", "ExtPillarContext", "QuietFailure", "load_ext_pillars"]


def load_ext_pillars() -> Mapping[str, ExtPillar]:
    """Return the external pillars by name, new ones for one run: they keep what they read."""
    return {"hierarchy_pillar": HierarchyPillar(), "stack": PillarStack()}
