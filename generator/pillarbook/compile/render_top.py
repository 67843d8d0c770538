"""The SLS files that a minion's targets name, rendered and merged.

Source: Salt ``salt/pillar/__init__.py`` (``Pillar.top_matches``, ``Pillar.render_pillar``).
"""

from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.compile.sls.pstate import SlsRenderer
from pillarbook.compile.top.match_reasons import with_reasons
from pillarbook.compile.top.matches import top_matches
from pillarbook.compile.top.named import find_named
from pillarbook.compile.top.tops import MergedTop, get_top
from pillarbook.model import MapNode


def read_top(build: PillarBuild) -> MergedTop:
    """Read, render and merge the top files."""
    build.top, tops = get_top(build.view)
    build.note(*tops.diagnostics)
    build.log.renders.extend(result for _, result in tops.results)
    build.log.looks.update(dict.fromkeys(tops.looks))
    return build.top


def render_sls_files(build: PillarBuild, top: MergedTop, errors: list[str]) -> MapNode:
    """Render and merge the SLS files of all environments that matched.

    Args:
        build: The compile.
        top: The top file.
        errors: Salt's errors; those of SLS files are appended.
    """
    view, log = build.view, build.log
    matches = top_matches(top, view, view.pillarenv)
    build.targets = with_reasons(matches, view) if view.project.explains else matches.verdicts
    pillar = build.override
    for named in find_named(matches, top, view):
        errors.extend(named.errors)
        build.note(*named.diagnostics)
        log.looks[named.look] = None
        renderer = SlsRenderer(view, named.saltenv, top.ignored, build.merger, log)
        for sls, place in named.files:
            state, complaints = renderer.render(sls, place)
            errors.extend(complaints)
            if state is not None and isinstance(state.tree, MapNode):
                pillar = build.merger.merge(pillar, state.tree)
    return pillar
