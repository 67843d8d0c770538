"""Renders with unknown answers: when there are some, and what they prove.

A file is rendered as it is first. Only if a call has no answer, it is rendered again, with unknown
answers. Whatever makes something known of such an answer is a decision with two outcomes, and
renders try out each in turn, from its place on with the outcomes before it (docs/decisions/0034).
What is not the same in all renders is unknown; what can come after an outcome that was not tried
out is so, too. A render that fails says nothing, as a pillar without the SLS has no values of it.
If no render proves anything, the file is lost, as it is without unknown answers, with the same
diagnostic.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.renderers.jinja.decisions import DecisionPath
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.renderers.pipe import choose_pipe
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.undeclared import CLOCK, RULE
from pillarbook.compile.renderers.unknown_text import mark_from, mark_unknown, unknown_leaf
from pillarbook.compile.unknown_includes import (
    INCLUDE,
    has_includes,
    join_includes,
    without_includes,
)
from pillarbook.compile.watched_data import TemplateWrites
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.model.unknown import Unknown, unknown_of
from pillarbook.roots.tree_interface import FoundFile

if TYPE_CHECKING:
    from pillarbook.compile.render_result import RenderResult

Rendered = tuple["RenderResult", RenderContext]
Outcomes = tuple[bool, ...]

MAX_RENDERS = 16
"""The most renders of one file; four decisions of which each has its own effect."""
_PIPE = (("jinja", ""), ("yaml", ""))
_PIPES = (_PIPE, (*_PIPE, ("gpg", "")))
_OWN = re.compile(r"UnknownAnswer|UnknownEnvironment")
"""Names of stand-ins in Python's errors, which Salt's do not have."""
_ALIAS = re.compile(r"(?:^|[\s\[{,])[&*]\w", re.MULTILINE)


def lacks_answers(result: "RenderResult") -> bool:
    """Say whether a render fails because a call has no answer."""
    return result.message is not None and any(map(is_unanswered, result.diagnostics))


def is_unanswered(one: Diagnostic) -> bool:
    """Say whether a diagnostic is about a call without an answer."""
    return one.code in (RULE, CLOCK)


def may_be_unknown(found: FoundFile, sls: str, view: MinionView) -> bool:
    """Say whether a file can be rendered with unknown answers."""
    if not view.with_unknowns or not sls:
        return False
    text = found.text
    pipe = choose_pipe(text, view.scope.options.values, view.project.renderers)
    return pipe.steps in _PIPES


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """One render with unknown answers."""

    path: DecisionPath
    """Its decisions."""
    rendered: Rendered
    """What it gave."""
    tree: MapNode | None
    """Its data, with what is unknown; None if it failed, or proves nothing."""
    text: str | None
    """Its document; None if the template failed."""
    proves_nothing: bool
    """Whether another answer may render where it fails."""


def try_out(strict: Rendered, render: Callable[[UnknownAnswers], Rendered]) -> Rendered | None:
    """Return what a file gives for unknown answers; None if they prove nothing.

    If it fails for all answers, the result is the first of these failures. ``strict`` is the render
    without unknown answers.
    """
    trials = _Trials(render, UnknownAnswers())
    try:
        trials.run()
    except TemplateWrites:  # which could not be taken back if this render does not count
        return None
    tree = trials.join()
    if tree is None:
        return trials.failure(strict)
    result, context = trials.giving()[0].rendered
    every = (strict[0], *(one.rendered[0] for one in trials.done.values()))
    files = tuple(dict.fromkeys(file for one in every for file in one.files))
    unanswered = tuple(filter(is_unanswered, strict[0].diagnostics))
    made = replace(
        result,
        tree=tree,
        files=files,
        unanswered=unanswered,
        has_unknown=True,
        called=tuple(trials.answers.called),
    )
    return made, context


@dataclass(slots=True, eq=False)
class _Trials:
    render: Callable[[UnknownAnswers], Rendered]
    answers: UnknownAnswers
    done: dict[Outcomes, _Trial] = field(default_factory=dict)
    """The renders, by the outcomes that they were given."""
    left: list[Outcomes] = field(default_factory=list)
    """The outcomes that were not tried out."""

    def run(self) -> None:
        """Render the file until each decision is tried out, or there are too many renders."""
        self._explore(merging=True)
        if not all(map(_is_alone, self.done.values())):
            # What one decision prints changes what another one gives: each pair is needed.
            self._explore(merging=False)

    def _explore(self, *, merging: bool) -> None:
        queue: list[tuple[int, int, Outcomes]] = [(0, 0, ())]
        states: set[Any] = set()
        number = taken = 0
        while queue and taken < MAX_RENDERS:
            _, _, given = heappop(queue)
            trial = self.done.get(given) or self._try(given)
            taken += 1
            made = trial.path.decisions
            line = made[len(given) - 1].line if given else 0
            for at in range(len(given), len(made)):
                one = made[at]
                # From here on it goes on like another render, of which all is tried out.
                if merging and given and trial.tree and one.line > line and one.state in states:
                    break
                states.add(one.state)
                number += 1
                flipped = (*trial.path.outcomes[:at], not one.outcome)
                heappush(queue, (one.position, number, flipped))
        self.left = [given for *_, given in queue]

    def _try(self, given: Outcomes) -> _Trial:
        path = self.answers.begin(given)
        result, context = self.render(self.answers)
        text = None if context.document is None else context.document.text
        tree = None
        if text is not None and result.message is None:
            tree = mark_unknown(result.tree, text, self.answers)
        has_token = text is not None and self.answers.holds_token(text)
        proves_nothing = path.refused or (tree is None and has_token)
        tree = None if path.refused else tree
        trial = self.done[given] = _Trial(path, (result, context), tree, text, proves_nothing)
        return trial

    def giving(self) -> list[_Trial]:
        """Return the renders that give something, without those whose include is no list."""
        every = [one for one in self.done.values() if one.tree is not None]
        return [one for one in every if one.tree and has_includes(one.tree)] or every

    def join(self) -> MapNode | None:
        """Return what all renders have in common, with what is unknown; None if that is nothing."""
        trees = self.giving()
        if not trees or self._changes_late():
            return None
        first, *others = trees
        assert first.tree is not None  # noqa: S101 (these have one)
        if (others or self.left) and any(one.tree and one.tree.shared for one in trees):
            return None
        tree = self._cut(first, first.tree)
        if tree is None:
            return None
        differences = [Unknown(()), *(_difference(first, other) for other in others)]
        every = [tree, *(other.tree for other in others if other.tree is not None)]
        is_known, included = join_includes(every, differences)
        if not is_known:
            return None
        tree = without_includes(tree)
        for other, unknown in zip(every[1:], differences[1:], strict=True):
            differing = join_trees(without_includes(first.tree), without_includes(other), unknown)
            tree = join_trees(tree, differing, Unknown(()))
        if included is None:
            return tree
        return replace(tree, items={INCLUDE: included, **tree.items})

    def failure(self, strict: Rendered) -> Rendered | None:
        """Return the failure that no answer prevents; None if an answer may prevent it."""
        every = self.done.values()
        if self.left or any(one.tree is not None or one.proves_nothing for one in every):
            return None
        result, context = self.done[()].rendered
        shown = f"{result.message}{result.diagnostics}"
        if result.message is None or self.answers.holds_token(shown) or _OWN.search(shown):
            return None
        return replace(result, unanswered=strict[0].diagnostics), context

    def _changes_late(self) -> bool:
        """Say whether a later round of a loop changes what no first one does."""
        changed = [one.path.changed for one in self.done.values()]
        first = {place for places, _ in changed for place in places}
        return any(not later <= first for _, later in changed)

    def _cut(self, first: _Trial, tree: MapNode) -> MapNode | None:
        """Return a tree with what may come out otherwise after outcomes that are not tried out."""
        left = [*self.left]
        left += [one.path.outcomes for one in self.done.values() if one.proves_nothing]
        if not left:
            return tree
        at = min(_first_difference(first.path.outcomes, one) for one in left)
        decision = first.path.decisions[at]
        assert first.text is not None  # noqa: S101 (it has a tree)
        unknown = Unknown(decision.sources, untried=True)
        return mark_from(tree, first.text, decision.position, unknown)


def _is_alone(trial: _Trial) -> bool:
    """Say whether the effect of each decision of a render can be seen by itself."""
    if trial.text is None:
        return True
    return trial.tree is not None and not _ALIAS.search(trial.text)


def _first_difference(mine: Outcomes, theirs: Outcomes) -> int:
    pairs = zip(mine, theirs, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one is not other), 0)


def _difference(first: _Trial, other: _Trial) -> Unknown:
    """Return what the difference between two renders depends on."""
    at = _first_difference(first.path.outcomes, other.path.outcomes)
    last = len(other.path.forced) - 1
    sources = first.path.decisions[at].sources
    more = other.path.decisions[last].sources if last >= 0 else ()
    return Unknown(tuple(dict.fromkeys((*sources, *more))))


def join_trees(one: MapNode, other: MapNode, unknown: Unknown) -> MapNode:
    """Return a tree in which all that differs between two trees is unknown."""
    joined = _Joiner(unknown).join(one, other)
    assert isinstance(joined, MapNode)  # noqa: S101 (as both are)
    return joined


class _Joiner:
    def __init__(self, unknown: Unknown) -> None:
        self._unknown = unknown

    def join(self, one: Node, other: Node) -> Node:
        """Return what two values have in common."""
        if one is other:
            return one
        if isinstance(one, MapNode) and isinstance(other, MapNode):
            return self._join_maps(one, other)
        if isinstance(one, ListNode) and isinstance(other, ListNode) and _are_alike(one, other):
            return replace(one, items=tuple(map(self.join, one.items, other.items)))
        if isinstance(one, Leaf) and isinstance(other, Leaf) and _are_same(one, other):
            return one
        sealed = unknown_of(one)
        if sealed is not None and sealed.ciphertext is not None and sealed is unknown_of(other):
            return one
        return unknown_leaf(one, self._of(one, other))

    def _of(self, *nodes: Node) -> Unknown:
        """Return what stands for values that are not all the same."""
        found = [unknown_of(node) for node in nodes]
        unknown = [one for one in found if one is not None]
        if len(unknown) < len(nodes):
            unknown.append(self._unknown)
        joined = unknown[0].joined(*unknown[1:])
        return replace(joined, may_miss=any(one.may_miss for one in unknown))

    def _join_maps(self, one: MapNode, other: MapNode) -> MapNode:
        moved = _moved_keys(one, other)
        items: dict[Any, Node] = {}
        for key, item in one.items.items():
            theirs = other.items.get(key)
            if theirs is None:
                items[key] = self._missing(item)
            elif key in moved:
                items[key] = unknown_leaf(item, self._of(item, theirs, one))
            else:
                items[key] = self.join(item, theirs)
        for key, item in other.items.items():
            if key not in one.items:
                items[key] = self._missing(item)
        kind = "open" if "open" in (one.kind, other.kind) else one.kind
        if kind == "plain":  # an empty document
            kind = other.kind
        same = kind == one.kind and all(one.items.get(key) is item for key, item in items.items())
        return one if same else replace(one, items=items, kind=kind)

    def _missing(self, node: Node) -> Leaf:
        known = unknown_of(node)
        unknown = self._unknown if known is None else known.joined(self._unknown)
        return unknown_leaf(node, replace(unknown, may_miss=True))


def _are_alike(one: ListNode, other: ListNode) -> bool:
    return len(one.items) == len(other.items) and one.kind == other.kind


def _are_same(one: Leaf, other: Leaf) -> bool:
    first, second = one.value, other.value
    same = first.__class__ is second.__class__ and repr(first) == repr(second)
    return same and one.secret == other.secret and unknown_of(one) is None


def _moved_keys(one: MapNode, other: MapNode) -> frozenset[Any]:
    """Return keys without which the others are in the same order in both."""
    first = [key for key in one.items if key in other.items]
    second = [key for key in other.items if key in one.items]
    if first == second:
        return frozenset()
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    kept = {
        key for block in matcher.get_matching_blocks() for key in first[block.a :][: block.size]
    }
    return frozenset(first) - kept
