"""What differs between two redacted pillars, minion by minion and folded over a fleet.

``Comparer`` finds the changes that make one pillar the other, exactly, key order included. ``Fold``
puts equal changes of many minions together.
"""

from pillarbook.compare.change import Change, ChangeKind
from pillarbook.compare.fold import ANY_POSITION, Fold, FoldedChange, fold_path
from pillarbook.compare.pillars import Comparer, comparable_data

__all__ = [
    "ANY_POSITION",
    "Change",
    "ChangeKind",
    "Comparer",
    "Fold",
    "FoldedChange",
    "comparable_data",
    "fold_path",
]
