"""Says whether a target of a top file matches a minion, as Salt does.

``match_target`` decides, and ``explain_target`` gives reasons; both use a ``Subject``. ``traverse``
follows a key such as ``disks:0:size``, also for other packages.
"""

from pillarbook.compile.matchers.confirm_top import explain_matcher, explain_target, match_target
from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.subject import IdKind, MatcherError, Subject, Verdict
from pillarbook.compile.matchers.traverse import traverse

__all__ = [
    "IdKind",
    "MatcherError",
    "Subject",
    "Verdict",
    "explain_matcher",
    "explain_target",
    "match_id",
    "match_target",
    "traverse",
]
