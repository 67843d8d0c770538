"""Salt's pillar merging on immutable trees: values merge, origins add up."""

from pillarbook.compile.merge.dictupdate import MergeError, MergeRules, resolve_strategy
from pillarbook.compile.merge.merger import Merger

__all__ = ["MergeError", "MergeRules", "Merger", "resolve_strategy"]
