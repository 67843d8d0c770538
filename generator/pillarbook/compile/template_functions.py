"""The ``salt`` object of templates, for one minion's views, the files of the roots and the mine."""

import weakref
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from pillarbook.compile.matchers import IdKind, MatcherError, match_id, match_target
from pillarbook.compile.matchers.declared_subject import KnownSubject
from pillarbook.compile.matchers.subject import Subject
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.nested_render import NestedRenders, Rendering
from pillarbook.compile.reads import Trace, fingerprint
from pillarbook.compile.remarks import read_clock
from pillarbook.compile.renderers.code.modules import TreeModules
from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.compile.renderers.jinja.functions import Functions
from pillarbook.compile.renderers.jinja.functions.unknown_functions import UnknownFunctions
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.inventory.minions import Minion


def make_functions(
    view: MinionView,
    trace: Trace | None,
    saltenv: str,
    trees: TreeAccess,
    remark: Callable[[str], None] = lambda _: None,
    answers: UnknownAnswers | None = None,
) -> Functions:
    """Return the functions that the templates of one render see.

    With ``answers``, a call without an answer gives an unknown one.
    """
    context = _Context(view, trace, saltenv, trees, remark)
    files = view.project.modules
    own = TreeModules(files, context) if files.files else None
    refuses = view.project.with_unknowns
    functions = Functions(context, view.project.functions, own, refuses=refuses)
    # a weak reference, since otherwise only the garbage collector would free both
    context.functions = weakref.ref(functions)
    if answers is None:
        return functions
    return UnknownFunctions(context, view.project.functions, functions, answers)


class _Context:
    """The minion and the tree, as functions see them."""

    def __init__(
        self,
        view: MinionView,
        trace: Trace | None,
        saltenv: str,
        trees: TreeAccess,
        remark: Callable[[str], None],
    ) -> None:
        self.functions: Callable[[], Functions | None] = lambda: None
        self._view = view
        self._trace = trace
        self.trees = trees
        self.remark = remark
        self.now = partial(read_clock, view.project.clock, remark)
        self.mine = FleetMine(view)
        self._renders = NestedRenders(view, trace, trees, remark)
        self.saltenv = saltenv
        self.minion_id = view.minion.id

    @property
    def salt(self) -> Functions:
        """The ``salt`` object; templates hold it while they run."""
        functions = self.functions()
        assert functions is not None  # noqa: S101 (whoever asks was called by one of them)
        return functions

    @property
    def grains(self) -> Mapping[str, Any]:
        """The ``grains`` of templates."""
        return self._view.view("grains", self._trace)

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The ``pillar`` of templates; for states, functions have their own copy."""
        return self._view.pillar_of_functions(self._trace)

    @property
    def pillar_of_targets(self) -> Mapping[str, Any]:
        """The pillar that ``match`` functions see; on a master, not that of an external pillar."""
        return self.pillar if self.on_minion else self._view.view("pillar", self._trace)

    @property
    def opts(self) -> Mapping[str, Any]:
        """The ``opts`` of templates."""
        return self._view.view("opts", self._trace)

    @property
    def master_opts(self) -> Mapping[str, Any]:
        """The options with the master's own id."""
        return self._view.view("master_opts", self._trace)

    def id_matches(self, kind: Any, pattern: str) -> bool:
        """Say whether the minion's id matches, and record the question."""
        return self._view.id_matches(kind, pattern, self._trace)

    def match_target(
        self, target: Any, matcher: str, minion_id: str | None, delimiter: str
    ) -> bool:
        """Say whether a target matches the minion, which may be given another id."""
        if delimiter != ":" and matcher != "compound":
            return False
        try:
            return match_target(target, matcher, self._subject(minion_id))
        except MatcherError:
            return False

    def _subject(self, minion_id: str | None) -> Subject:
        """Return the minion to match; questions about its own id are recorded."""
        if minion_id is None and self.on_minion:
            return self
        known = self.master_id if minion_id is None else str(minion_id)
        return KnownSubject(known, self.grains, self.nodegroups, self.pillar_of_targets)

    def render_text(self, text: str, pipe: str, options: Mapping[str, Any]) -> Any:
        """Return the result of rendering a text."""
        return self._take(self._renders.render_text(text, pipe, options, self.salt))

    def render_path(self, path: str, pipe: str, options: Mapping[str, Any]) -> Any:
        """Return the result of rendering the file at a full path; empty if it is missing."""
        return self._take(self._renders.render_path(path, pipe, options, self.salt))

    def _take(self, rendering: Rendering) -> Any:
        if rendering.secret is not None:
            self.trees.note_secret(rendering.secret, is_opened_text=rendering.is_opened_text)
        return rendering.data

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups."""
        return self._view.scope.options.values.get("nodegroups") or {}

    @property
    def on_minion(self) -> bool:
        """Whether a minion renders its states."""
        return self._view.renders_states

    @property
    def own_id(self) -> str:
        """The id of the renderer: a minion's own id, which is recorded, or the master's."""
        if self.on_minion:
            self.id_matches("list", self.minion_id)
            return self.minion_id
        return str(self.master_opts.get("id"))

    @property
    def master_id(self) -> str:
        """The id that Salt's match functions use if they are not given one."""
        return str(self._view.scope.options.values.get("id") or "master")


class FleetMine:
    """The mine data of all declared minions.

    It is the same for every minion of a run, so reads of it are not recorded.
    """

    def __init__(self, view: MinionView) -> None:
        self._view = view

    @property
    def is_declared(self) -> bool:
        """Whether any minion has mine data."""
        return any(minion.mine for minion in self._view.project.fleet)

    def matching(self, target: Any, matcher: str) -> Iterable[str]:
        """Return the ids of the minions that a target matches; none if the target is invalid.

        They are sorted; for a list, they have its order.

        Raises:
            UnansweredCallError: The target needs the pillar of other minions.

        Source: Salt ``salt/utils/minions.py`` (``CkMinions.check_minions``).
        """

        def find() -> tuple[str, ...]:
            is_list = matcher == "list"
            return tuple(
                self._match_list(target) if is_list else sorted(self._match(target, matcher))
            )

        key = ("mine", self._view.scope.number, fingerprint(target), matcher)
        return self._view.remembered.derive(key, find)

    def _match(self, target: Any, matcher: str) -> list[str]:
        nodegroups = self._view.scope.options.values.get("nodegroups") or {}
        try:
            return [
                minion.id
                for minion in self._view.project.fleet
                if match_target(target, matcher, _Other(minion, nodegroups))
            ]
        except MatcherError:
            return []

    def _match_list(self, target: Any) -> Iterable[str]:
        known = {minion.id for minion in self._view.project.fleet}
        words = target.split(",") if isinstance(target, str) else target
        return dict.fromkeys(word for word in words if word in known)

    def data_of(self, minion_id: str) -> Mapping[str, Any]:
        """Return a minion's mine data by function."""
        fleet = self._view.project.fleet
        known = self._view.remembered.derive("mine", lambda: {one.id: one.mine for one in fleet})
        return known[minion_id]


class _Other:
    """A minion as it is in the master's cache."""

    def __init__(self, minion: Minion, nodegroups: Mapping[str, Any]) -> None:
        self.minion_id = minion.id
        self.grains = minion.grains
        self.nodegroups = nodegroups

    @property
    def pillar(self) -> Mapping[str, Any]:
        """Raise an error: the pillar of other minions is not known here."""
        raise UnansweredCallError("with a target by pillar, which is not known for other minions")

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches."""
        return match_id(kind, pattern, self.minion_id)
