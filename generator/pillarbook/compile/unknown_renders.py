"""Renders with unknown answers: when there is one, and whether it says what Salt would.

A file is rendered as it is first. Only if a call has no answer, it is rendered again, and what that
gives counts only if nothing but values hangs on the answers: else the file is lost, as it is
without unknown answers, with the same diagnostic.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import Scope
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.renderers.pipe import choose_pipe
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.undeclared import RULE
from pillarbook.compile.renderers.unknown_text import mark_unknown
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import MapNode, Node
from pillarbook.roots.tree_interface import FoundFile

_PIPE = (("jinja", ""), ("yaml", ""))
_OPTIONS = ("ext_pillar", "decrypt_pillar")
"""Options whose code reads the pillar."""


def keeps_unknowns_apart(scope: Scope) -> bool:
    """Say whether a merge by a minion's options leaves known values as they are in Salt."""
    values: Mapping[str, Any] = scope.options.values
    if any(values.get(name) for name in _OPTIONS):
        return False
    rules = scope.rules
    return rules.strategy == "overwrite" or (rules.strategy == "recurse" and not rules.merge_lists)


def may_be_unknown(
    found: FoundFile, sls: str, diagnostics: Iterable[Diagnostic], view: MinionView
) -> bool:
    """Say whether a file that does not render is to be rendered with unknown answers."""
    if not view.with_unknowns or not sls or view.scope.kind != "pillar":
        return False
    if RULE not in {one.code for one in diagnostics}:
        return False
    text = found.content.decode("utf-8", "replace")
    pipe = choose_pipe(text, view.scope.options.values, view.project.renderers)
    return pipe.steps == _PIPE


def mark_render(
    tree: Node | None, document: SourceText | None, answers: UnknownAnswers
) -> MapNode | None:
    """Return what a render gives, unknown values marked; None if more may hang on the answers."""
    if tree is None or document is None:
        return None
    return mark_unknown(tree, document.text, answers)
