"""External pillars, run in order, each seeing what came before it.

Source: Salt ``salt/pillar/__init__.py`` (``ext_pillar``).
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.ext_pillars import ExtPillarContext, QuietFailure
from pillarbook.compile.functions import make_functions
from pillarbook.compile.merge import MergeError, Merger
from pillarbook.compile.merge.standing import yield_origins
from pillarbook.compile.project import FileRead
from pillarbook.compile.reads import TemplateWrites, Trace, fingerprint
from pillarbook.compile.render_file import WRITES, first_line
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.sight import Sight
from pillarbook.compile.sls.pstate import Harvest
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.compile.writes import note_writes
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import MapNode, Node, Position
from pillarbook.roots import Found

NO_FILE = "no-minion-file"
"""The one rule under which an external pillar gives nothing and that is no failure."""
KEEPS_BOTH = ("aggregate", "list")
"""Merge strategies that keep an old value beside the new one."""
MALFORMED = 'The "ext_pillar" option is malformed'


@dataclass(frozen=True, slots=True)
class Failure:
    """How an external pillar failed."""

    words: str | None
    """As Salt has it; may quote the file. None where Salt has no words for it."""
    clean: str
    """In words that may be shown."""
    place: Line | None = None
    """File and line, where known."""
    code: str = "ext-pillar-error"
    """The rule that it falls under."""
    told: str | None = None
    """What is said of it in place of its failing: ``calls 'x.y', which ...``."""
    help: str | None = None
    """What to do about it."""


def merge_external_pillars(
    pillar: MapNode, sight: Sight, merger: Merger, harvest: Harvest
) -> tuple[MapNode, list[str]]:
    """Run the external pillars of the options, and merge what they give.

    Returns:
        The pillar, empty where an entry is malformed; and Salt's errors.

    Raises:
        TemplateWrites: A template changed what it was given, and the compile records reads.
        CompileBreaksOff: One gives what is no mapping.
    """
    values = sight.scope.options.values
    errors: list[str] = []
    for entry in values["ext_pillar"]:
        if not isinstance(entry, dict) or not entry:
            _say(sight, harvest, "malformed-option", "an entry of `ext_pillar` is no mapping")
            return MapNode({}, (), kind="plain"), [*errors, MALFORMED]
        if next(iter(entry)) in (values.get("exclude_ext_pillar") or []):
            continue
        external, joins = _run_entry(entry, pillar, sight, harvest, errors)
        if external is None or is_falsy(external):
            continue
        base, own = pillar, external
        if joins and isinstance(external, MapNode):
            base, own = _part(pillar, external, sight.scope.merge_rules().strategy)
        pillar = _merge(base, external, merger)
        if isinstance(own, MapNode):
            harvest.beside.append(own)
    return pillar, errors


def _run_entry(
    entry: dict[Any, Any], pillar: MapNode, sight: Sight, harvest: Harvest, errors: list[str]
) -> tuple[Node | None, bool]:
    """Return what the last external pillar of an entry gives; note those that fail.

    Returns:
        Also whether it holds the pillar that it was handed.
    """
    external, joins = None, False
    for name, config in entry.items():
        if name not in sight.project.ext_pillars:
            _say_unavailable(sight, harvest, str(name))
            continue
        given, failure = _run(str(name), config, pillar, sight, harvest)
        if failure is None or failure.words is None:
            external, joins = given, sight.project.ext_pillars[name].joins_pillar
        else:
            errors.append(f"Failed to load ext_pillar {name}: {failure.words}")
        if failure is not None:
            _say_failure(sight, harvest, str(name), failure)
    return external, joins


def _merge(pillar: MapNode, external: Node, merger: Merger) -> MapNode:
    try:
        merged = merger.merge(pillar, external)
    except MergeError as error:
        raise CompileBreaksOff(str(error)) from error
    if not isinstance(merged, MapNode):
        raise CompileBreaksOff("an external pillar gives what is no mapping")
    return merged


def _part(pillar: MapNode, external: MapNode, strategy: str) -> tuple[MapNode, MapNode]:
    """Part a pillar from what was joined with it: each without what the other tells of."""
    own = {key: node for key, node in external.items.items() if pillar.items.get(key) is not node}
    base = yield_origins(pillar, external) if strategy not in KEEPS_BOTH else pillar
    return base, MapNode(own, external.origins, external.overrode, external.kind)


def _run(
    name: str, config: Any, pillar: MapNode, sight: Sight, harvest: Harvest
) -> tuple[Node | None, Failure | None]:
    """Return what an external pillar gives, or how it fails."""
    if sight.plainly:
        find_writes = note_writes(sight, f"the external pillar '{name}'")
        called = _call(name, config, pillar, sight, None)
        position = sight.scope.options.positions.get("ext_pillar")
        written = (replace(one, position=position) for one in find_writes([]))
        harvest.diagnostics.update(dict.fromkeys(written))
        return called
    key = (sight.scope.number, name, fingerprint(config), pillar, sight.minion.id)

    def call(trace: Trace | None) -> Any:
        try:
            return _call(name, config, pillar, sight, trace)
        except TemplateWrites:
            return WRITES

    result = sight.recall(sight.remembered.externals, key, call)
    if result is WRITES:
        raise TemplateWrites
    given: tuple[Node | None, Failure | None] = result
    return given


def _call(
    name: str, config: Any, pillar: MapNode, sight: Sight, trace: Trace | None
) -> tuple[Node | None, Failure | None]:
    project = sight.project
    files: list[Path] = []

    def note(_read: FileRead, found: Found | None) -> None:
        if found is not None:
            files.append(Path(found.full))

    context = ExtPillarContext(
        minion_id=sight.minion.id,
        pillar=pillar,
        grains=sight.view("grains", trace),
        opts=sight.view("master_opts", trace),
        salt=make_functions(sight, trace, "base", TreeAccess(sight, note)),
        options=sight.scope.options.values,
        folder=project.folder,
        resolve=project.resolve,
        shown=project.shown,
        limits=project.limits,
        note_file=files.append,
    )
    try:
        with project.watch(f"ext_pillar {name}"):
            return project.ext_pillars[name](context, config), None
    except QuietFailure as error:
        return None, Failure(None, str(error), error.place, error.rule)
    except Exception as error:  # noqa: BLE001 (Salt makes any exception an entry)
        clean = getattr(error, "clean", None) or first_line(word_exception(error))
        place = getattr(error, "place", None)
        if isinstance(error, RenderError) and error.told is not None:
            failure = Failure(str(error), clean, place, error.rule, error.told, error.help)
            return None, failure
        return None, Failure(str(error), clean, place)


def _say_failure(sight: Sight, harvest: Harvest, name: str, failure: Failure) -> None:
    has_none = failure.code == NO_FILE
    harvest.incomplete = harvest.incomplete or not has_none
    what = "gives nothing" if has_none else "fails"
    message = f"the external pillar '{name}' {failure.told or f'{what}: {failure.clean}'}"
    _say(sight, harvest, failure.code, message, failure.place, failure.help)


def _say(
    sight: Sight,
    harvest: Harvest,
    code: str,
    message: str,
    place: Line | None = None,
    remedy: str | None = None,
) -> None:
    position = sight.scope.options.positions.get("ext_pillar")
    if place is not None and place[1] is not None:
        position = Position(*place)
    harvest.diagnostics[
        Diagnostic(
            code=code,
            severity=RULES[code].severity,
            message=message,
            position=position,
            help=remedy,
        )
    ] = None


def _say_unavailable(sight: Sight, harvest: Harvest, name: str) -> None:
    harvest.diagnostics[
        Diagnostic(
            code="unavailable-ext-pillar",
            severity=Severity.WARNING,
            message=f"the external pillar '{name}' is not run",
            position=sight.scope.options.positions.get("ext_pillar"),
            help="what it would give is missing from every pillar; see the limitations",
        )
    ] = None
