"""Compiles the states of minions that are made up, for the grains that the states read.

Targets of the states invent no minion: a report is about pillar, and states are what uses it.
"""

from collections.abc import Iterable

from pillarbook.bootstrap.grain_reads import TemplateReads
from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.study import Study, as_declared, take
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.highstate.highstate import compile_states
from pillarbook.inventory.minions import Minion
from pillarbook.session.failed_compiles import or_failed
from pillarbook.session.session import Session


def study_states(
    session: Session, minions: Iterable[NewMinion], parsed: dict[str, TemplateReads]
) -> Study:
    """Return what the states of minions ask for; nothing of minions without states.

    ``parsed`` has what files of earlier studies read, by digest, and is filled.
    """
    found = Study(parsed=parsed)
    project = session.compiler.project
    scope = project.scope_of_states(project.scope_of({}, None))
    for one in minions:
        minion = as_declared(one)
        if session.compiler.minion_compiler.has_states(minion):
            pillar = session.compiler.compile_as(minion, briefly=True)
            take(found, _compile(session, minion, pillar), one.grains, scope)
    return found


def _compile(session: Session, minion: Minion, pillar: CompiledPillar) -> CompiledPillar:
    """Compile the states of a minion once; which of them are secret does not matter here."""
    return or_failed(minion, lambda: compile_states(minion, session.compiler.project, pillar))
