"""What the recorded questions of a render ask of the pillar.

The options that a minion's templates see hold its pillar, too.
"""

from pillarbook.compile.reads import Question
from pillarbook.model import KeyPath

PILLAR, OPTIONS = "pillar", "opts"
"""The names of the views that lead to the pillar."""
VALUES = ("get", "whole")
"""The questions that are answered by a value."""


def asked_of_pillar(question: Question) -> tuple[object, KeyPath] | None:
    """Return what a question asks of the pillar, and the path; None for another question."""
    view, what, path = (*question, None, None)[:3]
    if not isinstance(path, tuple):
        return None
    if view == OPTIONS and what == "whole" and not path:
        return what, ()
    below = path_in_pillar(view, path)
    return None if below is None else (what, below)


def pillar_path_of(question: Question) -> KeyPath | None:
    """Return the path of the pillar whose value a question asks for; None for another question."""
    asked = asked_of_pillar(question)
    return asked[1] if asked is not None and asked[0] in VALUES else None


def path_in_pillar(view: object, path: KeyPath) -> KeyPath | None:
    """Return where a path in a view leads to in the pillar; None for elsewhere."""
    if view == PILLAR:
        return path
    return path[1:] if view == OPTIONS and path[:1] == (PILLAR,) else None
