"""External pillars, which the master option ``ext_pillar`` names.

An external pillar in another package implements ``ExtPillar``, with the names of this module.
"""

from pillarbook.compile.ext_pillars.answers import answer_lines
from pillarbook.compile.ext_pillars.ext_pillar_names import ExtPillars, load_ext_pillars
from pillarbook.compile.ext_pillars.interface import (
    Compiler,
    ExtPillar,
    ExtPillarContext,
    QuietFailure,
    Registered,
)
from pillarbook.compile.renderers.render_errors import RenderError

__all__ = [
    "Compiler",
    "ExtPillar",
    "ExtPillarContext",
    "ExtPillars",
    "QuietFailure",
    "Registered",
    "RenderError",
    "answer_lines",
    "load_ext_pillars",
]
