"""One minion as its templates, matchers and external pillars see it."""

import copy
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from pillarbook.compile.matchers import match_id
from pillarbook.compile.memo import Memo
from pillarbook.compile.project import Project, Remembered, Scope
from pillarbook.compile.reads import (
    Answer,
    OptionsDict,
    OptionsView,
    PillarDict,
    PillarView,
    Question,
    Trace,
    View,
    answer_about,
)
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.watched_data import unwatched
from pillarbook.inventory.minions import Minion

if TYPE_CHECKING:
    from pillarbook.compile.replay_steps import Evaluated
    from pillarbook.compile.unknown_pillar import UnknownPillar

_NOT_ASKED: Any = object()
OF_FUNCTIONS = "pillar of functions"
VIEWS: Mapping[str, type[View]] = {"opts": OptionsView}
VIEWS_OF_STATES: Mapping[str, type[View]] = {"pillar": PillarView, "opts": OptionsView}
Result = TypeVar("Result")


class MinionView:
    """A minion's grains, options and pillar so far.

    With recording, it returns views that note each read in the trace of the current computation.
    Without, it returns dicts that belong to the minion, which templates may change.
    """

    def __init__(
        self,
        minion: Minion,
        project: Project,
        scope: Scope,
        remembered: Remembered,
        *,
        without_recording: bool,
    ) -> None:
        self.minion = minion
        self.project = project
        self.scope = scope
        self.remembered = remembered
        self.without_recording = without_recording
        self.with_unknowns = False
        """Whether calls without an answer may give unknown values."""
        self.unknown_pillar: UnknownPillar | None = None
        """The pillar that templates see, if it may have unknown values."""
        self.renders_states = scope.kind == "states"
        """Whether the minion renders its states; False if the master renders its pillar."""
        self._pillar: dict[Any, Any] = PillarDict() if self.renders_states else {}
        self._data: dict[str, Mapping[Any, Any]] = {"pillar": self._pillar}
        # For one minion: many tries ask the same question, and the answer stays the same as long as
        # the visible pillar does.
        self._answers: dict[Question, Answer] = {}
        self.evaluated: dict[Hashable, Evaluated] = {}
        """The texts of expressions of templates."""
        grains = unwatched(minion.grains) if without_recording else minion.grains
        self._data["grains"] = grains

    def data(self, view: str) -> Mapping[Any, Any]:
        """Return the data of a view."""
        known = self._data.get(view)
        if known is None:
            known = self._data[view] = self._make_opts(for_external=view == "master_opts")
        return known

    def _make_opts(self, *, for_external: bool) -> dict[str, Any]:
        """Return the options that Salt passes to templates, or to external pillars.

        Source: Salt ``salt/pillar/__init__.py`` (``Pillar.__gen_opts``).
        """
        values = self._shown_options()
        opts = unwatched(values) if self.without_recording else dict(values)
        minion = self.minion
        top = str(opts.get("state_top") or "top.sls")
        opts.update(
            file_client="local",
            grains=self._data["grains"],
            saltenv=minion.saltenv if minion.saltenv is not None else values.get("saltenv"),
            pillarenv=self.pillarenv,
            id=values.get("id") if for_external and not self.renders_states else minion.id,
            state_top=top if top.startswith("salt://") else f"salt://{top.lstrip('/')}",
            minion_id=minion.id,
        )
        if self.renders_states:
            return OptionsDict(opts, pillar=self._pillar)
        return opts if for_external else OptionsDict(opts)

    def _shown_options(self) -> Mapping[Any, Any]:
        """Return the options of the minion; for a second compile, with placeholders."""
        values, placeholders = self.scope.options.values, self.project.placeholders
        if placeholders is None:
            return values
        # By the scope, which has one set of options.
        key = ("shown options", self.scope.number)
        made: Mapping[Any, Any] = self.remembered.derive(
            key, lambda: placeholders.of_data((), dict(values))
        )
        return made

    @property
    def pillarenv(self) -> str | None:
        """The pillar environment that is pinned, or None."""
        values, minion = self.scope.options.values, self.minion
        if minion.pillarenv is not None:
            return minion.pillarenv
        if values.get("pillarenv_from_saltenv"):
            return minion.saltenv
        pinned: str | None = values.get("pillarenv")
        return pinned

    def new_named_values(self) -> NamedValues | None:
        """Return a recorder for the secrets in the templates of one render."""
        project = self.project
        if project.rules is None:
            return None
        return NamedValues(project.rules, project.placeholders, self.remembered.loaded)

    def recording(self) -> "MinionView":
        """Return a view of the same data that records reads, and refuses changes."""
        if not self.without_recording:
            return self
        twin = copy.copy(self)
        twin.without_recording = False
        return twin

    def view(self, name: str, trace: Trace | None) -> Mapping[Any, Any]:
        """Return a view that records in ``trace``; the data itself if it is None."""
        data = self.data(name)
        if trace is None or self.without_recording:
            return data
        kinds = VIEWS_OF_STATES if self.renders_states else VIEWS
        return kinds.get(name, View)(name, data, trace)

    def show_pillar(self, pillar: Mapping[Any, Any]) -> None:
        """Let templates and matchers see this pillar from now on."""
        self._pillar.clear()
        self._pillar.update(pillar)
        stale = [question for question in self._answers if question[0] == "pillar"]
        for question in stale:
            del self._answers[question]
        self.evaluated.clear()
        if self.without_recording and self.renders_states:
            self._data[OF_FUNCTIONS] = unwatched(pillar)

    def with_pillar_of_functions(self, pillar: Mapping[Any, Any]) -> "MinionView":
        """Return a view of the same minion whose functions see another pillar, unrecorded."""
        twin = copy.copy(self)
        twin._data = {**self._data, OF_FUNCTIONS: pillar}  # noqa: SLF001 (a copy of this one)
        return twin

    def pillar_of_functions(self, trace: Trace | None) -> Mapping[Any, Any]:
        """Return the pillar that functions see.

        A minion that renders states has two copies of its pillar: functions do not see what a
        template changes in its copy, and templates do not see changes by functions.
        """
        own = self._data.get(OF_FUNCTIONS)
        return self.view("pillar", trace) if own is None else own

    @property
    def shows_pillar(self) -> bool:
        """Whether templates see a pillar, so that they may read a secret in it."""
        return bool(self._pillar)

    @property
    def pillar_shown(self) -> dict[Any, Any]:
        """The pillar that templates see; without recording, they may have changed it."""
        return self._pillar

    def answer(self, question: Question) -> Answer:
        """Answer a recorded question for this minion."""
        known = self._answers.get(question, _NOT_ASKED)
        if known is _NOT_ASKED:
            known = self._answers[question] = self._find_out(question)
        answer: Answer = known
        return answer

    def recall(
        self, memo: Memo[Result], key: Hashable, compute: Callable[[Trace | None], Result]
    ) -> Result:
        """Return the result of a computation for a minion with the same answers, or a new one.

        ``key`` has the inputs besides the questions. ``compute`` records the questions; it gets
        None if nothing is recorded.
        """
        if self.without_recording:
            return compute(None)
        known, result = memo.find(key, self.answer)
        if not known:
            trace = Trace()
            result = compute(trace)
            memo.keep(key, trace.answers, result)
        found: Result = result
        return found

    def _find_out(self, question: Question) -> Answer:
        view, what, path = question
        if view == "id":
            return self._match_id(what, path)
        return answer_about(self.data(view), what, path)  # type: ignore[arg-type]

    def _match_id(self, kind: Any, pattern: Any) -> bool:
        if kind == "pcre" and may_take_long(pattern):
            with self.project.watch(f"pattern {pattern}"):
                return match_id(kind, pattern, self.minion.id)
        return match_id(kind, pattern, self.minion.id)

    def id_matches(self, kind: Any, pattern: str, trace: Trace | None) -> bool:
        """Say whether the minion's id matches, and record the question."""
        matched = match_id(kind, pattern, self.minion.id)
        if trace is not None:
            trace.note(("id", kind, pattern), matched)
        return matched


# By the pattern, which determines the result; it is needed for each minion that a target is tested
# for.
@lru_cache(maxsize=4096)
def may_take_long(pattern: str) -> bool:
    """Say whether a regular expression may take extremely long.

    This is possible with nested repetitions, or with many repetitions in a row.
    """
    repetitions = sum(pattern.count(sign) for sign in "*+{")
    return repetitions > 3 or any(f"){sign}" in pattern for sign in "*+{")
