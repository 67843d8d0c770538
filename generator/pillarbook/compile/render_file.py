"""One file of the roots, rendered for one minion, once for all that answer alike."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pillarbook.compile.clock import read_clock
from pillarbook.compile.functions import make_functions
from pillarbook.compile.misses import Misses
from pillarbook.compile.opened_files import word_opened
from pillarbook.compile.project import FileRead, Project
from pillarbook.compile.reads import (
    Answer,
    Question,
    TemplateWrites,
    Trace,
    fingerprint,
    unwatched,
    watched,
)
from pillarbook.compile.recipes import Kitchen, Recipes
from pillarbook.compile.remarks import word_remark
from pillarbook.compile.renderers.ciphertext import GIT_CRYPT, name_sealed
from pillarbook.compile.renderers.code.opened import noting_opened
from pillarbook.compile.renderers.context import MetMessage, RenderContext
from pillarbook.compile.renderers.error_words import word_render_error
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.renderers.jinja.functions.loader import names_asked_for
from pillarbook.compile.renderers.jinja.functions.mine import ON_MASTER
from pillarbook.compile.renderers.jinja.named_values import (
    NamedValue,
    NamedValues,
    TemplateLiterals,
)
from pillarbook.compile.renderers.jinja.render import TemplateSight
from pillarbook.compile.renderers.pipe import run_pipe
from pillarbook.compile.renderers.unwritten import hide_unwritten
from pillarbook.compile.sight import Sight
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.compile.writes import note_writes
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Node, Position
from pillarbook.roots import Found


@dataclass(frozen=True, slots=True, eq=False)
class RenderResult:
    """What a file renders to, and what that depended on."""

    tree: Node | None
    """The data; None where the render failed."""
    message: str | None
    """Salt's words for the failure, without the sentence around them."""
    diagnostics: tuple[Diagnostic, ...]
    """What there is to say about it, without the minions."""
    questions: Mapping[Question, Answer]
    """What the render asked of the minion, with the answers."""
    files: tuple[FileRead, ...]
    """The files it looked for, the file itself first."""
    sealed: bool = False
    """Whether the file as a whole is ciphertext that stays sealed."""
    begun: bool = True
    """Whether it was rendered at all; a render that was refused says nothing of others."""
    messages: tuple[MetMessage, ...] = ()
    """The PGP messages that it opened, or tried to."""
    decrypted: bool = False
    """Whether templates saw a text that was decrypted, or that stays sealed."""
    functions: frozenset[str] = frozenset()
    """The functions that templates looked up."""
    recorded: bool = True
    """Whether what it asked was recorded; it is not where minions are compiled plainly."""
    scope: int = 0
    """The number of the options and roots that it was rendered with."""
    foreign: bool = False
    """Whether Salt itself has no exception for the failure, and passes on another's."""
    misses: Misses = field(default_factory=dict)
    """What it read and the minion does not have, as far as recorded."""
    named: tuple[NamedValue, ...] = ()
    """Secrets that its templates hold under names of their own."""
    literals: tuple[TemplateLiterals, ...] = ()
    """What its templates spell out."""


SEALED = frozenset(("sealed-sls", "git-crypt"))
"""Rules about files that stay sealed as a whole."""
WRITES = object()
"""Kept in place of a result where the template changes what it is given."""


def render_file(
    found: Found, sls: str, saltenv: str, sight: Sight, defaults: Mapping[str, Any]
) -> RenderResult:
    """Render a file through its pipe.

    Args:
        found: The file.
        sls: Its SLS name; empty for a top file.
        saltenv: The environment it is rendered in.
        sight: The minion.
        defaults: Variables from ``include: defaults:``.

    Raises:
        TemplateWrites: A template changed what it was given, and the compile records reads.
    """
    if sight.plainly:
        return _render(found, sls, saltenv, sight, defaults, None)[0]
    what = (saltenv, sls, found.full, found.digest, fingerprint(defaults), sight.shows_pillar)
    key = (sight.scope.number, *what)
    renders = sight.remembered.renders
    is_known, result = renders.find(key, sight.answer)
    if not is_known:
        earlier = sight.project.earlier
        result = None if earlier is None else earlier(what, sight.answer, sight.scope)
        if result is not None:
            renders.keep(key, result.questions, result)
        else:
            result = _render_anew(key, found, sight, defaults)
    if result is WRITES:
        raise TemplateWrites
    kept: RenderResult = result
    return kept


def _render_anew(
    key: tuple[Any, ...], found: Found, sight: Sight, defaults: Mapping[str, Any]
) -> Any:
    """Return what a render gives, recorded and kept; ``WRITES`` where it changes what it got."""
    _, saltenv, sls, *_ = key
    recipes = sight.remembered.recipes.setdefault(key, Recipes.none())
    kitchen = Kitchen(sls, saltenv, sight.remembered.parsed, sight.project.limits.output)
    repeated = recipes.repeat(sight.answer, kitchen)
    if repeated is not None:
        sight.remembered.renders.keep(key, repeated.questions, repeated)
        return repeated
    trace = Trace()
    try:
        result: Any
        result, context = _render(found, sls, saltenv, sight, watched(defaults), trace)
        recipes.learn(result, trace, context)
    except TemplateWrites:
        result = WRITES
    if result is WRITES or result.begun:
        sight.remembered.renders.keep(key, trace.answers, result)
    return result


class _Taken:
    """The files that take part in a render.

    Args:
        found: The one that is rendered.
        saltenv: Its environment.
        sight: The minion.
    """

    def __init__(self, found: Found, saltenv: str, sight: Sight) -> None:
        self.sight = sight
        self.found = [found]
        self.reads = [FileRead.of(saltenv, found.path, found)]
        self.remarks: dict[str, None] = {}
        self.opened: dict[str, None] = {}

    def find_import(self, path: str, environment: str) -> Found | None:
        """Return a file that a template asks for."""
        path_here = locate(path, self.sight.project)
        imported = self.sight.scope.roots.find(path_here, environment)
        self.note(FileRead.of(environment, path, imported), imported)
        return imported

    def remark(self, rule: str) -> None:
        """Note that something is to be said of a call that was answered."""
        if not (rule == ON_MASTER and self.sight.scope.kind == "states"):
            self.remarks[rule] = None

    def tell(self, what: str) -> Iterator[Diagnostic]:
        """Yield what is to be said of calls that were answered, and of what code opened."""
        project, shown = self.sight.project, self.found[0].shown
        yield from word_opened(what, Position(shown, 1), self.opened, project)
        for rule in self.remarks:
            yield word_remark(rule, what, self.found, project.clock)

    def note(self, read: FileRead, found: Found | None) -> None:
        """Note a question to a tree, and the file where one was found."""
        self.reads.append(read)
        if found is not None:
            self.found.append(found)


def _render(
    found: Found,
    sls: str,
    saltenv: str,
    sight: Sight,
    defaults: Mapping[str, Any],
    trace: Trace | None,
) -> tuple[RenderResult, RenderContext]:
    project = sight.project
    taken = _Taken(found, saltenv, sight)
    what = _name(sls, sight)
    diagnostics: list[Diagnostic] = []
    context = _new_context(taken, sls, saltenv, trace)
    context.defaults = defaults
    find_writes = note_writes(sight, what)
    tree: Node | None = None
    message: str | None = None
    sealed = begun = foreign = False
    try:
        with project.watch(found.shown), noting_opened(taken.opened):
            begun = True
            tree, pipe = run_pipe(found.content, context, project.renderers)
        if pipe.unknown:
            diagnostics.append(_unknown_renderer(found, pipe.unknown))
    except RenderError as error:
        message = _word_for_salt(error, taken)
        _word_sealed(error, found)
        sealed, foreign = error.rule in SEALED, error.foreign
        diagnostics.append(_diagnose(error, found, what))
    except Exception as error:  # noqa: BLE001 (Salt makes any exception an entry)
        message, foreign = str(error) if project.reveals else type(error).__name__, True
        diagnostics.append(_diagnose(_unexpected(error), found, what))
    diagnostics.extend(find_writes(taken.found))
    diagnostics.extend(taken.tell(what))
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
        scope=sight.scope.number,
        foreign=foreign,
        misses={} if trace is None else trace.misses.found,
        **_held(context.template.named),
    )
    return result, context


def _held(named: NamedValues | None) -> dict[str, Any]:
    """Return what templates hold besides what they render to, as fields of a result."""
    if named is None:
        return {}
    return {"named": named.found(), "literals": tuple(named.templates)}


def _name(sls: str, sight: Sight) -> str:
    if sight.scope.kind == "states":
        return f"the state SLS '{sls}'" if sls else "the top file of the states"
    return f"SLS '{sls}'" if sls else "the top file"


def _word_for_salt(error: RenderError, taken: _Taken) -> str:
    """Return Salt's words for an error, without what may be secret in them and in the error."""
    if taken.sight.project.reveals:
        return str(error)
    if taken.sight.shows_pillar:
        hide_unwritten(error, (one.content.decode("utf-8", "replace") for one in taken.found))
    return str(error) if error.clean is None or not error.quotes_secret else error.clean


def render_text(
    content: bytes,
    path: Path,
    options: Mapping[str, Any],
    *,
    sight: Sight,
    trace: Trace | None,
    notes: tuple[Callable[[FileRead], None], Callable[[str], None]],
) -> Node:
    """Return what a text gives that an external pillar has.

    Args:
        content: The text.
        path: Its file.
        options: Master options that stand in for those of the compile.
        sight: The minion.
        trace: Where reads are recorded; None where nothing is.
        notes: Are told of each question to a tree, and each rule that something falls under.

    Raises:
        RenderError: It does not render.
    """
    shown = sight.project.shown(path)
    found = Found(path.name, shown, str(path), content, "")
    taken = _Taken(found, "base", sight)
    context = _new_context(taken, "", "base", trace)
    context.template = replace(context.template, opts=sight.view("master_opts", trace))
    context.options = {**context.options, **options}
    try:
        return run_pipe(content, context, sight.project.renderers)[0]
    finally:
        for read in taken.reads[1:]:
            notes[0](read)
        for rule in taken.remarks:
            notes[1](rule)


def _new_context(taken: _Taken, sls: str, saltenv: str, trace: Trace | None) -> RenderContext:
    """Return a file on its way through its pipe, with what its templates see."""
    found, sight = taken.found[0], taken.sight
    trees = TreeAccess(sight, taken.note)
    template = TemplateSight(
        grains=sight.view("grains", trace),
        pillar=sight.view("pillar", trace),
        opts=sight.view("opts", trace),
        salt=make_functions(sight, trace, saltenv, trees, taken.remark),
        environments=sight.remembered.environments,
        find_import=taken.find_import,
        now=partial(read_clock, sight.project.clock, taken.remark),
        find_state=trees.find_state,
        trees=trees,
        named=trees.named,
    )
    return RenderContext(
        shown=found.shown,
        path=found.full,
        sls=sls,
        saltenv=saltenv,
        options=sight.scope.options.values,
        limits=sight.project.limits,
        decryptor=sight.project.decryptor,
        parsed=None if sight.plainly else sight.remembered.parsed,
        template=template,
        renderers=sight.project.renderers,
        is_pillar=sight.scope.kind == "pillar",
    )


def locate(path: str, project: Project) -> str:
    """Return where an import lies here; an absolute path of the master may be mapped."""
    if not path.startswith("/"):
        return path
    try:
        return str(project.resolve(path))
    except RenderError:
        return path  # the trees say no to it in their own way


def _diagnose(error: RenderError, found: Found, what: str) -> Diagnostic:
    file, line = error.place or (found.shown, None)
    if error.told is not None and file != found.shown:
        what = "an imported file"  # the same for all that import it
    clean = first_line(word_render_error(error))
    return Diagnostic(
        code=error.rule,
        severity=Severity.WARNING if error.rule in SEALED else Severity.ERROR,
        message=_word(error, what, clean),
        position=Position(file or found.shown, line),
        help=error.help,
        related=() if error.related is None else (Position(*error.related),),
    )


def _word_sealed(error: RenderError, found: Found) -> None:
    """Say of a file that is ciphertext as a whole that it is, not what is wrong with it as text."""
    kind = name_sealed(found.content)
    if kind is None or error.rule in SEALED:
        return
    error.rule, error.place = "sealed-sls", (found.shown, None)
    error.told, error.help = f"is {kind}, and is not decrypted", None
    if found.content.startswith(GIT_CRYPT):
        error.rule = "git-crypt"
        error.help = "unlock the repository with git-crypt, or leave the file sealed"


def _unexpected(error: Exception) -> RenderError:
    """Return an exception that a renderer has no words for; its own may quote the text."""
    return RenderError(f"it is not taken ({type(error).__name__})")


def _word(error: RenderError, what: str, clean: str) -> str:
    if error.rule == "missing-grain" and error.subject is not None:
        return f"{what} reads the grain '{error.subject}', which is not declared"
    if error.told is not None:
        return f"{what} {error.told}"
    if error.rule == "duplicate-key" and error.subject is not None:
        first = "" if error.related is None else f", first at {Position(*error.related)}"
        return f"{what} has the key '{error.subject}' twice in one mapping{first}"
    return f"{what} does not render: {clean}"


def first_line(text: str) -> str:
    """Return the first line of an error, without the source lines that Salt quotes under it."""
    lines = [line.strip() for line in text.split("; line ", 1)[0].splitlines() if line.strip()]
    return " ".join(lines[:4]) if lines else "no reason given"


def _unknown_renderer(found: Found, name: str) -> Diagnostic:
    return Diagnostic(
        code="unknown-renderer",
        severity=Severity.WARNING,
        message=f"the renderer '{name}' is unknown to Salt, which takes the file for empty",
        position=Position(found.shown, 1),
        help="correct the first line of the file, or the `renderer` option",
    )


def plain_copy(value: Any) -> Any:
    """Return a copy of include defaults that templates may change."""
    return unwatched(value)
