"""Merges pillars like Salt, on immutable trees: values are merged, and origins are added up."""

from pillarbook.compile.merge.dictupdate import MergeError, MergeRules, resolve_strategy
from pillarbook.compile.merge.merger import Merger

__all__ = ["MergeError", "MergeRules", "Merger", "resolve_strategy"]
