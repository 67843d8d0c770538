"""Salt's pillar merging on immutable trees: values merge, origins add up."""

from pillarbook.compile.merge.merger import Merger
from pillarbook.compile.merge.strategy import MergeError, MergeRules, resolve_strategy

__all__ = ["MergeError", "MergeRules", "Merger", "resolve_strategy"]
