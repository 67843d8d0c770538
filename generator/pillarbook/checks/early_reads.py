"""The rule ``pillar-in-pillar``: a template of the pillar reads a key that another SLS sets.

Salt renders an SLS of the pillar without the others, so the read finds nothing, or its default.
"""

from collections.abc import Callable, Iterable, Iterator

from pillarbook.checks.finding import Findings, PartFinding
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import FileRead
from pillarbook.compile.render_faults import name_render
from pillarbook.compile.render_result import RenderResult
from pillarbook.diagnostics import new_diagnostic
from pillarbook.model import KeyPath, Node, Position, format_path, node_at
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.roots.tree_interface import FoundFile

MAX_KEPT = 10_000
"""The most reads that are cached."""
REMEDY = "set the value in one file that both import, such as with `import_yaml`"


class EarlyReads:
    """Finds such reads; ``sources`` gives the files of a render."""

    def __init__(
        self, findings: Findings, sources: Callable[[Iterable[FileRead]], Iterator[FoundFile]]
    ) -> None:
        self._findings = findings
        self._sources = sources
        # By the render, which minions share; most read no pillar.
        self._missed = LimitedCache[RenderResult, tuple[KeyPath, ...]](MAX_KEPT)
        self._known = LimitedCache[tuple[RenderResult, KeyPath, Node], tuple[PartFinding, ...]](
            MAX_KEPT
        )

    def find(self, compiled: CompiledPillar) -> Iterator[tuple[PartFinding, ...]]:
        """Yield the findings about each read of a minion that found nothing."""
        for result in compiled.renders:
            paths = self._missed.get(result)
            if paths is None:
                paths = self._missed[result] = _find_missed(result)
            for path in paths:
                node = node_at(compiled.tree, path)
                if node is None:
                    continue
                key = (result, path, node)
                found = self._known.get(key)
                if found is None:
                    found = self._known[key] = tuple(self._judge(result, path, node))
                yield found

    def _judge(self, result: RenderResult, path: KeyPath, node: Node) -> Iterator[PartFinding]:
        # A file that sets the key itself has a default for `pillar=` of the command line.
        givers = [one.sls for one in node.origins if one.sls and one.saltenv is not None]
        if not givers or result.sls in givers:
            return
        message = (
            f"{name_render(result.sls, is_state=False)} reads '{format_path(path)}' of the pillar,"
            f" which SLS '{givers[-1]}' sets; but it cannot read what another SLS sets"
        )
        place = self._find_line(result, str(path[-1]))
        yield self._findings.new(new_diagnostic("pillar-in-pillar", message, place, remedy=REMEDY))

    def _find_line(self, result: RenderResult, key: str) -> Position | None:
        """Return the first line that reads a pillar and has the key, else the first one."""
        first = None
        for found in self._sources(result.files):
            first = first or Position(found.shown, 1)
            lines = found.text.splitlines()
            for number, line in enumerate(lines, 1):
                if "pillar" in line and key in line:
                    return Position(found.shown, number)
        return first


def _find_missed(result: RenderResult) -> tuple[KeyPath, ...]:
    """Return the keys of the pillar that a render read and that were not there."""
    misses = result.misses if result.message is None else ()
    return tuple(path for view, path in misses if view == "pillar" and path)
