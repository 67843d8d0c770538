"""Renders one file of the roots for one minion; minions with the same answers share the render."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import FileRead
from pillarbook.compile.reads import Answer, Question, Trace, fingerprint
from pillarbook.compile.remarks import read_clock, word_opened, word_remark
from pillarbook.compile.render_faults import (
    SEALED,
    diagnose,
    explain_fault,
    hide_unwritten,
    name_render,
    unknown_renderer,
)
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.functions.loader import bind_grains_get, names_asked_for
from pillarbook.compile.renderers.jinja.functions.mine import ON_MASTER
from pillarbook.compile.renderers.jinja.pure_expressions import GRAINS_GET
from pillarbook.compile.renderers.jinja.render import TemplateView
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.renderers.pipe import run_pipe
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.replay_steps import ReplayContext
from pillarbook.compile.template_functions import make_functions
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.compile.unknown_trials import lacks_answers, may_be_unknown, try_out
from pillarbook.compile.watched_data import TemplateWrites, watched
from pillarbook.compile.writes import note_writes
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import Node, Position
from pillarbook.model.unknown import UnprovenUnknown
from pillarbook.roots.tree_interface import FoundFile

WRITES = object()
"""The cached result for a template that changes its input."""


def render_file(
    found: FoundFile, sls: str, saltenv: str, view: MinionView, defaults: Mapping[str, Any]
) -> RenderResult:
    """Render a file with its renderers.

    ``sls`` is empty for a top file. ``defaults`` are variables from ``include: defaults:``.

    Raises:
        TemplateWrites: A template changed its input, and the compile records reads.
    """
    if view.without_recording:
        return _render(found, (sls, saltenv), view, defaults, None)[0]
    kind = ("with unknowns",) if view.with_unknowns else ()
    answers = (fingerprint(defaults), view.shows_pillar, fingerprint(saltenv), *kind)
    what = (saltenv, sls, found.full, found.digest, *answers)
    key = (view.scope.number, *what)
    renders = view.remembered.renders
    is_known, result = renders.find(key, view.answer)
    if not is_known:
        earlier = view.project.earlier
        result = None if earlier is None else earlier.find(what, view.answer, view.scope)
        if result is not None:
            renders.keep(key, result.questions, result)
        else:
            result = _render_anew(key, found, view, defaults)
            if earlier is not None and result is not WRITES:
                earlier.keep(what, result, view.scope)
    if result is WRITES:
        raise TemplateWrites
    kept: RenderResult = result
    return kept


def _render_anew(
    key: tuple[Any, ...], found: FoundFile, view: MinionView, defaults: Mapping[str, Any]
) -> Any:
    """Return a recorded and cached result; ``WRITES`` if the template changes its input."""
    _, saltenv, sls, *_ = key
    remembered, project = view.remembered, view.project
    templates = remembered.templates_of(key, sls, saltenv, project.limits.output)
    find, watch = partial(_find_named, view), partial(project.watch, found.shown)
    replay = ReplayContext(view.answer, find, view.evaluated, remembered.known, watch)
    repeated = templates.repeat(replay)
    if repeated is not None:
        return repeated
    trace = Trace()
    try:
        result: Any
        result, context = _render(found, (sls, saltenv), view, watched(defaults), trace, key)
        templates.learn(result, trace, context, remembered.known)
    except TemplateWrites:
        result = WRITES
    if result is WRITES or result.begun:
        remembered.renders.keep(key, trace.answers, result)
    return result


def _find_named(view: MinionView, name: str, trace: Trace) -> Any:
    """Return the object for a name in an expression of a template."""
    if name == GRAINS_GET:
        return bind_grains_get(view.view("grains", trace))
    return view.view(name, trace)


class _Taken:
    """The files of a render, beginning with the rendered one."""

    def __init__(self, found: FoundFile, saltenv: str, view: MinionView) -> None:
        self.view = view
        self.found = [found]
        self.reads = [FileRead.of(saltenv, found.path, found)]
        self.remarks: dict[str, None] = {}
        self.opened: dict[str, None] = {}

    def find_import(self, path: str, environment: str) -> FoundFile | None:
        """Return a file that a template imports."""
        imported = self.view.scope.roots.find(self.view.project.locate(path), environment)
        self.note(FileRead.of(environment, path, imported), imported)
        return imported

    def remark(self, rule: str) -> None:
        """Note the rule for a call that has an answer."""
        if not (rule == ON_MASTER and self.view.scope.kind == "states"):
            self.remarks[rule] = None

    def describe(self, what: str) -> Iterator[Diagnostic]:
        """Yield diagnostics of such calls, and of files that code opened."""
        project, shown = self.view.project, self.found[0].shown
        yield from word_opened(what, Position(shown, 1), self.opened, project)
        for rule in self.remarks:
            yield word_remark(rule, what, self.found, project.clock)

    def note(self, read: FileRead, found: FoundFile | None) -> None:
        """Note a lookup, and the file if there is one."""
        self.reads.append(read)
        if found is not None:
            self.found.append(found)


def _render(
    found: FoundFile,
    name: tuple[str, str],
    view: MinionView,
    defaults: Mapping[str, Any],
    trace: Trace | None,
    key: Hashable = None,
) -> tuple[RenderResult, RenderContext]:
    cached: tuple[RenderResult, RenderContext] | None = None
    if trace is not None and view.with_unknowns:
        # It fails early, before the reads in which minions differ, so that many share it.
        cached = view.remembered.refused.find(key, view.answer)[1]
    strict = cached or _render_once(found, name, view, defaults, trace)
    unknown = view.unknown_pillar
    reads = unknown is not None and unknown.is_read(strict[0].questions, name[0])
    if cached is None:
        if not (reads or lacks_answers(strict[0])):
            return strict
        if not may_be_unknown(found, name[0], view):
            return _without_unknown(strict, name[0], reads=reads)
    if trace is not None:
        if cached is None:
            view.remembered.refused.keep(key, strict[0].questions, strict)
        else:
            trace.take_over(strict[0].questions, strict[0].misses)
    # Also recorded if the compile does not record, so that a trial changes nothing.
    taken, seen, given = trace or Trace(), view.recording(), watched(defaults)
    tried = try_out(strict, lambda answers: _render_once(found, name, seen, given, taken, answers))
    if unknown is not None:
        unknown.is_read(taken.answers, name[0])
    result, context = tried or _without_unknown(strict, name[0], reads=reads)
    questions = {} if trace is None else dict(trace.answers)
    return replace(result, questions=questions, recorded=trace is not None), context


def _without_unknown(
    strict: tuple[RenderResult, RenderContext], sls: str, *, reads: bool
) -> tuple[RenderResult, RenderContext]:
    """Return a render that counts as it is, since it read no unknown value."""
    if reads:
        raise UnprovenUnknown(sls or "top")
    return strict


def _render_once(
    found: FoundFile,
    name: tuple[str, str],
    view: MinionView,
    defaults: Mapping[str, Any],
    trace: Trace | None,
    answers: UnknownAnswers | None = None,
) -> tuple[RenderResult, RenderContext]:
    (sls, saltenv), project = name, view.project
    taken = _Taken(found, saltenv, view)
    what = name_render(sls, is_state=view.renders_states)
    diagnostics: list[Diagnostic] = []
    context = _new_context(taken, sls, saltenv, trace, answers)
    context.defaults = defaults
    find_writes = note_writes(view, what)
    tree: Node | None = None
    message: str | None = None
    sealed = begun = foreign = False
    try:
        with project.watch(found.shown), project.opening(taken.opened):
            begun = True
            tree, pipe = run_pipe(found.content, context, project.renderers)
        if pipe.unknown:
            diagnostics.append(unknown_renderer(found, pipe.unknown))
    except RenderError as error:
        message = _word_for_salt(error, taken)
        explain_fault(
            error,
            found,
            lambda: _answers(found, name, view, defaults, trace),
            is_state=view.renders_states,
        )
        sealed, foreign = error.rule in SEALED, error.foreign
        diagnostics.append(diagnose(error, found, what))
    # Renderers of a trusted tree and Jinja's filters may raise anything. The text of an exception
    # may quote a decrypted value, so it is shown only if everything is revealed.
    except Exception as error:  # noqa: BLE001 (Salt makes any exception an entry)
        message, foreign = str(error) if project.reveals else type(error).__name__, True
        rejected = RenderError(f"the renderer rejects it ({type(error).__name__})")
        diagnostics.append(diagnose(rejected, found, what))
    diagnostics += [
        *find_writes(taken.found),
        *taken.describe(what),
        *_find_doubtful(found, tree, context),
    ]
    questions = {} if trace is None else dict(trace.answers)
    reads = tuple(taken.reads)
    result = RenderResult(
        tree,
        message,
        tuple(diagnostics),
        questions,
        reads,
        sealed,
        begun,
        tuple(context.messages),
        decrypted=context.shows_decrypted or context.template.trees.secret is not None,
        functions=names_asked_for(context.template.salt),
        recorded=trace is not None,
        scope=view.scope.number,
        foreign=foreign,
        misses={} if trace is None else trace.missed,
        sls=sls,
        printed=context.document.printed_lines() if project.explains and context.document else None,
        **_held(context.template.named, None if message is None else found),
    )
    return result, context


def _find_doubtful(
    found: FoundFile, tree: Node | None, context: RenderContext
) -> Iterable[Diagnostic]:
    from pillarbook.compile.renderers.doubtful_yaml import DoubtfulLines  # noqa: PLC0415 (on use)

    doubtful = DoubtfulLines(found, context)
    context.find_doubtful = doubtful.find
    return doubtful.find(tree)


def _answers(
    found: FoundFile,
    name: tuple[str, str],
    view: MinionView,
    defaults: Mapping[str, Any],
    trace: Trace | None,
) -> Mapping[Question, Answer]:
    """Return what a render asked; without a record, that of a second one that is recorded."""
    if trace is None:
        trace = Trace()
        try:
            _render_once(found, name, view.recording(), watched(defaults), trace)
        except TemplateWrites:
            return {}
    return trace.answers


def _held(named: NamedValues | None, failed: FoundFile | None) -> dict[str, Any]:
    """Return the secrets and literals of templates, as fields of a result.

    If the file failed, its text is one of them, as other files may have copies of its secrets.
    """
    if named is None:
        return {}
    if failed is not None:
        named.note_text(failed.text)
    return {"named": named.found(), "literals": tuple(named.templates)}


def _word_for_salt(error: RenderError, taken: _Taken) -> str:
    """Return Salt's words for an error; removes possible secrets from them and from the error."""
    if taken.view.project.reveals:
        from pillarbook.compile.renderers.jinja.computed_names import (  # noqa: PLC0415 (on use)
            reveal_name,
        )

        reveal_name(error)
        return str(error)
    if taken.view.shows_pillar:
        hide_unwritten(error, (one.text for one in taken.found))
    return str(error) if error.clean is None or not error.quotes_secret else error.clean


def render_text(
    content: bytes,
    path: Path,
    options: Mapping[str, Any],
    *,
    view: MinionView,
    trace: Trace | None,
    notes: tuple[Callable[[FileRead], None], Callable[[str], None]],
) -> Node:
    """Return the result of a text of an external pillar.

    ``options`` replace master options of the compile. ``notes`` get each lookup, and each rule for
    a call.

    Raises:
        RenderError: It cannot be rendered.
    """
    shown = view.project.shown(path)
    found = FoundFile(path.name, shown, str(path), content, "")
    taken = _Taken(found, "base", view)
    context = _new_context(taken, "", "base", trace)
    context.template = replace(context.template, opts=view.view("master_opts", trace))
    context.options = {**context.options, **options}
    try:
        return run_pipe(content, context, view.project.renderers)[0]
    finally:
        for read in taken.reads[1:]:
            notes[0](read)
        for rule in taken.remarks:
            notes[1](rule)


def _new_context(
    taken: _Taken,
    sls: str,
    saltenv: str,
    trace: Trace | None,
    answers: UnknownAnswers | None = None,
) -> RenderContext:
    """Return the context of a render, with the variables of its templates."""
    found, view = taken.found[0], taken.view
    if trace is not None and answers is not None:
        trace.begin_trial(answers.stand_in)
    trees = TreeAccess(view, taken.note)
    template = TemplateView(
        grains=view.view("grains", trace),
        pillar=view.view("pillar", trace),
        opts=view.view("opts", trace),
        salt=make_functions(view, trace, saltenv, trees, taken.remark, answers),
        environments=view.remembered.environments,
        find_import=taken.find_import,
        now=partial(read_clock, view.project.clock, taken.remark),
        find_state=trees.find_state,
        trees=trees,
        named=trees.named,
        answers=answers,
        trace=trace if answers is None else None,
    )
    return RenderContext(
        shown=found.shown,
        path=found.full,
        sls=sls,
        saltenv=saltenv,
        options=view.scope.options.values,
        limits=view.project.limits,
        decryptor=view.project.decryptor,
        parsed=None if view.without_recording or answers else view.remembered.parsed,
        template=template,
        renderers=view.project.renderers,
        is_pillar=view.scope.kind == "pillar",
    )
