"""Whether a target of a top file matches a minion, with Salt's own answers.

``match_target`` decides, ``explain_target`` says why; both ask a ``Subject``. ``traverse`` is how
Salt follows a key like ``disks:0:size``, for everything else that does.
"""

from pillarbook.compile.matchers.confirm_top import explain_target, match_target
from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.subdict_match import subdict_match
from pillarbook.compile.matchers.subject import IdKind, MatcherError, Subject, Verdict
from pillarbook.compile.matchers.traverse import traverse

__all__ = [
    "IdKind",
    "MatcherError",
    "Subject",
    "Verdict",
    "explain_target",
    "match_id",
    "match_target",
    "subdict_match",
    "traverse",
]
