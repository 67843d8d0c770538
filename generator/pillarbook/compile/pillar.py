"""One minion's pillar, in Salt's own steps.

Source: Salt ``salt/pillar/__init__.py`` (``Pillar.compile_pillar``, ``Pillar.top_matches``,
``Pillar.render_pillar``, ``Pillar.ext_pillar``).
"""

from pillarbook.compile.broken import CompileBreaksOff, malformed_option
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.external import ExternalPillars
from pillarbook.compile.nested_pillar import NestedPillar
from pillarbook.compile.override import decrypt_command_line, decrypt_merged, override_of
from pillarbook.compile.pillar_additions import (
    EMPTY,
    error_list,
    listed_with,
    master_options,
    pillar_opts_note,
    updated,
    with_key,
    written_by_templates,
)
from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.compile.project import Project, Scope, scope_of
from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.sls.pstate import SlsRenderer
from pillarbook.compile.top.matches import TargetVerdict, find_named, top_matches, with_reasons
from pillarbook.compile.top.tops import MergedTop, get_top
from pillarbook.compile.watched_data import TemplateWrites
from pillarbook.inventory.minions import Minion
from pillarbook.model import MapNode, plain
from pillarbook.model.unknown import UnprovenUnknown


def compile_pillar(minion: Minion, project: Project) -> CompiledPillar:
    """Compile one minion.

    If a template changes its input while reads are recorded, the minion is compiled again from the
    start without recording.
    """
    scope = scope_of(minion, project)
    # The strategy `list` gives the keys of a base that is empty, so nothing would be gained.
    if project.with_unknowns and scope.rules.strategy != "list":
        try:
            return _compile_once(minion, project, scope, with_unknowns=True)
        except UnprovenUnknown:
            pass
    return _compile_once(minion, project, scope, with_unknowns=False)


def _compile_once(
    minion: Minion, project: Project, scope: Scope, *, with_unknowns: bool
) -> CompiledPillar:
    override = override_of(minion)
    if project.memo:
        try:
            return _compile(
                PillarBuild.begin(
                    minion, project, scope, project.remembered, override, without_recording=False
                ),
                with_unknowns=with_unknowns,
            )
        except TemplateWrites:
            pass
    # Cached results were recorded; this minion must neither use nor add any.
    fresh = project.fresh()
    return _compile(
        PillarBuild.begin(minion, project, scope, fresh, override, without_recording=True),
        with_unknowns=with_unknowns,
    )


def _compile(build: PillarBuild, *, with_unknowns: bool) -> CompiledPillar:
    """Return the result of a compile, also if Salt stops it."""
    build.view.with_unknowns = with_unknowns
    try:
        decrypt_command_line(build)
        tree, errors = _compile_tree(build, externals=True)
    except CompileBreaksOff as broken:
        build.note(broken.diagnose("the compile", build.view.minion.position))
        return build.result(EMPTY, "failed", (), broken.words)
    if not errors and build.nested is not None and build.nested.failed:
        errors = listed_with(tree, ())  # the errors of an external pillar's own compile
    return build.finish(tree, tuple(errors))


def _compile_tree(build: PillarBuild, *, externals: bool) -> tuple[MapNode, list[str]]:
    """Return the pillar and Salt's errors: Salt's ``compile_pillar``, step by step.

    The compile for an external pillar has no ``externals``.
    """
    errors: list[str] = []
    top = _read_top(build)
    # All steps below are in Salt's order (`compile_pillar`), which decides the order of keys and
    # which origin wins.
    is_first = externals and bool(build.option("ext_pillar_first"))
    pillar = _show_externals(build, errors) if is_first else EMPTY
    rendered = _render_sls_files(build, top, errors)
    pillar = updated(pillar, written_by_templates(build, errors, pillar))
    pillar = updated(pillar, build.merger.merge(pillar, rendered) if is_first else rendered)
    if externals and not is_first:
        pillar = _run_externals(build, pillar, errors, visible=pillar)
    # After the errors of SLS files and external pillars, although top files are read first.
    errors.extend(top.errors)
    # Before the override, which may replace `master`.
    if build.option("pillar_opts"):
        pillar = with_key(pillar, "master", master_options(build))
        build.note(pillar_opts_note(build.position_of("pillar_opts")))
    if errors:
        pillar = with_key(pillar, "_errors", error_list(build, errors))
    if build.override.items:
        pillar = build.merger.merge(pillar, build.override)
    # Last, so that it also decrypts values of external pillars and of the override.
    return decrypt_merged(build, pillar, errors), errors


def _read_top(build: PillarBuild) -> MergedTop:
    """Read, render and merge the top files."""
    build.top, tops = get_top(build.view)
    build.note(*tops.diagnostics, *build.top.faults)
    build.log.renders.extend(result for _, result in tops.results)
    build.log.looks.update(dict.fromkeys(tops.looks))
    return build.top


def _render_sls_files(build: PillarBuild, top: MergedTop, errors: list[str]) -> MapNode:
    """Render and merge the SLS files of all matching environments; append their errors."""
    view, log = build.view, build.log
    matches = top_matches(top, view, view.pillarenv)
    build.targets = with_reasons(matches, view) if view.project.explains else matches.verdicts
    trees = [build.override]
    for named in find_named(matches, top, view):
        errors.extend(named.errors)
        build.note(*named.diagnostics)
        log.looks[named.look] = None
        renderer = SlsRenderer(view, named.saltenv, top.ignored, build.merger, log)
        for sls, place in named.files:
            state, complaints = renderer.render(sls, place)
            errors.extend(complaints)
            if state is not None and isinstance(state.tree, MapNode):
                trees.append(state.tree)
    return build.merger.merge_all(tuple(trees))


def _show_externals(build: PillarBuild, errors: list[str]) -> MapNode:
    """Return the data of external pillars, which SLS files see as ``pillar``."""
    external = _run_externals(build, build.override, errors, visible=EMPTY)
    if build.view.with_unknowns and holds_unknown_leaf(external):
        raise UnprovenUnknown  # templates would see it
    build.shown = with_placeholders(external, build.view.project.placeholders)
    build.view.show_pillar(plain(build.shown))
    return build.shown


def _run_externals(
    build: PillarBuild, pillar: MapNode, errors: list[str], *, visible: MapNode
) -> MapNode:
    """Return a pillar with the data of external pillars merged over it; append errors.

    ``visible`` is the part of it from SLS files.
    """
    listed = build.option("ext_pillar")
    if not isinstance(listed, list):
        if "ext_pillar" in build.view.scope.options.values:
            errors.append('The "ext_pillar" option is malformed')
            message = "the option `ext_pillar` is not a list, so Salt runs no external pillar"
            remedy = "write a dash before each external pillar: `- NAME: SETTINGS`"
            position = build.position_of("ext_pillar")
            build.note(malformed_option(message, position, "ext_pillar", remedy))
        return pillar
    if build.override.items:
        pillar = build.merger.merge(pillar, build.override)
    if not listed:
        return updated(visible, pillar)

    def compile_nested(
        minion: Minion, scope: Scope, log: CompileLog
    ) -> tuple[MapNode, list[str], tuple[TargetVerdict, ...]]:
        below = PillarBuild.begin(
            minion,
            build.view.project,
            scope,
            build.view.remembered,
            build.override,
            without_recording=build.view.without_recording,
        )
        below.log = log
        below.view.with_unknowns = build.view.with_unknowns
        tree, found = _compile_tree(below, externals=False)
        return tree, found, below.targets

    build.nested = NestedPillar(build.view, build.log, compile_nested)
    run = ExternalPillars(build.view, build.merger, build.log, build.nested)
    merged, complaints = run.merge_over(pillar, visible)
    errors.extend(complaints)
    # Salt updates the object that the external pillars got, and may have removed keys from.
    return updated(run.visible, merged)
