"""Compiles more SLS files for one minion, if an external pillar is a tree of SLS files.

Source: Salt ``salt/pillar/git_pillar.py`` (``ext_pillar``).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.merge import MergeError, MergeRules, resolve_strategy
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import Scope, merger_for
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.inventory.minions import Minion
from pillarbook.model import MapNode
from pillarbook.roots.environment_roots import Roots

CompileBelow: TypeAlias = Callable[
    [Minion, Scope, CompileLog], tuple[MapNode, list[str], tuple[TargetVerdict, ...]]
]
"""Returns the pillar, Salt's errors and the targets; diagnostics go to the log.

It may raise ``CompileBreaksOff``.
"""


class NestedPillar:
    """Compiles for the external pillars of one minion."""

    def __init__(self, view: MinionView, log: CompileLog, run: CompileBelow) -> None:
        self._view = view
        self._log = log
        self._run = run
        self.targets: list[TargetVerdict] = []
        """The targets of the top files, with their verdicts."""
        self.failed = False
        """Whether Salt lists errors for one of the compiles."""

    def compile(self, roots: Roots, saltenv: str, pillarenv: str | None) -> MapNode:
        """Return the minion's pillar for other roots.

        Raises:
            RenderError: Salt stops that compile; with its words.
        """
        view, log = self._view, CompileLog()
        minion = replace(view.minion, saltenv=saltenv, pillarenv=pillarenv, pillar=None)
        scope = view.project.scope_below(view.scope, roots)
        try:
            compiled, errors, targets = self._run(minion, scope, log)
        except CompileBreaksOff as broken:
            raise RenderError(broken.words.partition(": ")[2]) from broken
        finally:
            self._log.join(log)
        self.failed = self.failed or bool(errors)
        self.targets.extend(targets)
        return compiled

    def merge(self, base: MapNode, update: MapNode) -> MapNode:
        """Merge by the options, independent of the default renderer.

        Raises:
            RenderError: Salt cannot merge the data.
        """
        values = self._view.scope.options.values
        strategy = values.get("pillar_source_merging_strategy", "smart")
        rules = MergeRules(
            strategy=resolve_strategy(strategy, "yaml"),
            merge_lists=bool(values.get("pillar_merge_lists")),
        )
        merger = merger_for(rules, self._view.remembered, memo=not self._view.without_recording)
        try:
            merged = merger.merge(base, update)
        except MergeError as error:
            raise RenderError(str(error)) from error
        assert isinstance(merged, MapNode)  # noqa: S101 (so are both)
        return merged
