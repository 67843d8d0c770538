"""Which recorded questions of a render read the pillar.

The options that templates see also contain the minion's pillar.
"""

from pillarbook.compile.reads import Question
from pillarbook.model import KeyPath

PILLAR, OPTIONS = "pillar", "opts"
"""The names of the views that contain the pillar."""
VALUES = ("get", "whole")
"""The questions whose answer is a value."""


def asked_of_pillar(question: Question) -> tuple[object, KeyPath] | None:
    """Return the kind and the path of a question about the pillar; None for other questions."""
    view, what, path = (*question, None, None)[:3]
    if not isinstance(path, tuple):
        return None
    if view == OPTIONS and what == "whole" and not path:
        return what, ()
    below = path_in_pillar(view, path)
    return None if below is None else (what, below)


def pillar_path_of(question: Question) -> KeyPath | None:
    """Return the pillar path whose value a question reads; None for other questions."""
    asked = asked_of_pillar(question)
    return asked[1] if asked is not None and asked[0] in VALUES else None


def path_in_pillar(view: object, path: KeyPath) -> KeyPath | None:
    """Return the pillar path for a path in a view; None if it is not in the pillar."""
    if view == PILLAR:
        return path
    return path[1:] if view == OPTIONS and path[:1] == (PILLAR,) else None
