"""The calls without an answer that a render never came to, because an earlier one stopped it."""

from collections.abc import Iterator

from pillarbook.bootstrap.grain_reads import find_reads
from pillarbook.bootstrap.missing_parts import UNDECLARED
from pillarbook.bootstrap.study import functions_of
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import scope_of
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.functions.loader import has_function
from pillarbook.compile.renderers.jinja.functions.unanswered import read_calls
from pillarbook.compile.renderers.undeclared import CLOCK, WrittenCall, declare
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model import Position
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.tree_interface import FoundFile
from pillarbook.session.session import Session

_STOPS = (UNDECLARED, CLOCK)
"""The rules of a render that stops because an answer is missing."""


class UnreachedCalls:
    """Reads them in the files of renders that stop; ``take`` gets each compile of a fleet."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # By digest: the text is the same wherever the file is.
        self._calls: dict[str, tuple[WrittenCall, ...]] = {}
        self._found: dict[tuple[Position, str, str], dict[str, None]] = {}
        self.unknown: dict[Diagnostic, dict[str, None]] = {}
        """Calls that have an unknown answer, in the clear, with the minions."""

    def take(self, compiled: CompiledPillar) -> None:
        """Look into the files of the renders of a minion that stop."""
        stopped = [one for one in _renders_of(compiled) if _stops(one)]
        for diagnostic in (one for render in stopped for one in render.unanswered):
            self.unknown.setdefault(diagnostic, {})[compiled.minion] = None
        if not stopped:
            return
        minion = self._session.fleet.declared_by_id(compiled.minion)
        project = self._session.compiler.project
        scope = scope_of(minion, project)
        roots = scope.states if isinstance(compiled, CompiledStates) else scope.roots
        functions = functions_of(minion, project, scope)
        for file in _files_of(stopped, roots):
            for call in self._read(file):
                if not has_function(functions, call.name):
                    key = (Position(file.shown, call.line), call.name, declare(call))
                    self._found.setdefault(key, {})[compiled.minion] = None

    def describe(self) -> Iterator[Diagnostic]:
        """Yield each call in the words of a call that is reached, in the clear."""
        for (position, name, declared), minions in self._found.items():
            yield new_diagnostic(
                UNDECLARED,
                f"calls '{name}'",
                position,
                minions=tuple(minions),
                remedy=f"declare an answer in mkdocs.yml: {declared}",
            )

    def _read(self, file: FoundFile) -> tuple[WrittenCall, ...]:
        if file.digest not in self._calls:
            text = file.content.decode("utf-8", "replace")
            named = set(find_reads(text).functions)
            calls = read_calls(SaltEnvironment({}, allow_undefined=True), text) if named else ()
            self._calls[file.digest] = tuple(
                call for call in calls if (call.name, call.line) in named
            )
        return self._calls[file.digest]


def _renders_of(compiled: CompiledPillar) -> Iterator[RenderResult]:
    yield from compiled.renders
    if isinstance(compiled, CompiledStates):
        yield from compiled.sls.values()


def _stops(render: RenderResult) -> bool:
    if render.unanswered:
        return True
    return render.message is not None and any(one.code in _STOPS for one in render.diagnostics)


def _files_of(renders: list[RenderResult], roots: Roots) -> Iterator[FoundFile]:
    """Yield the files that took part, each once."""
    reads = dict.fromkeys(read for one in renders for read in one.files if read.digest is not None)
    for read in reads:
        found = roots.find(read.path, read.saltenv)
        if found is not None and found.digest == read.digest:
            yield found
