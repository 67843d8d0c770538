"""The result of a run: every minion compiled once, seen through the door."""

import fnmatch
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from pillarbook.book.failed import failed_pillar
from pillarbook.book.watch import Watch
from pillarbook.compile.pillar import CompiledPillar, compile_pillar
from pillarbook.compile.project import Project
from pillarbook.diagnostics import Collector, Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.redact import (
    Door,
    RedactedLeaf,
    RedactedPillar,
    Rules,
    SecretStore,
    to_json,
    values_to_json,
)

EXPLAIN_SCHEMA = "pillarbook.explain/1"
MOST_TEXTS = 100_000
"""Written parts of pillars that are kept before all are let go."""


class FleetBook:
    """A fleet's pillars, compiled when they are asked for; implements ``report.Book``.

    Args:
        site_name: The name of the report.
        minions: The fleet, in inventory order.
        project: What their compiles have in common.
        rules: What is secret; None reveals everything.
        store: Takes the clear values of secrets.
        watch: Is told which minion is being compiled.
        found: What there was to say before the first compile.
        later: Gives what there is to say once files were read.
        close: Stops what the run started.
    """

    def __init__(  # noqa: PLR0913 (what a run consists of)
        self,
        *,
        site_name: str,
        minions: Sequence[Minion],
        project: Project,
        rules: Rules | None,
        store: SecretStore,
        watch: Watch,
        found: Sequence[Diagnostic],
        later: Callable[[], Iterable[Diagnostic]],
        close: Callable[[], None],
    ) -> None:
        self._site_name = site_name
        self._minions = {minion.id: minion for minion in minions}
        self._project = project
        self._rules = rules
        self._store = store
        self._door = Door(rules, store)
        self._watch = watch
        self._later = later
        self._close = close
        self._collector = Collector()
        self.on_pillar: Callable[[], None] = lambda: None
        """Called when ``pillar`` has done its work, to show progress."""
        self._diagnostics_of: dict[str, tuple[Diagnostic, ...]] = {}
        self._texts: dict[int, tuple[Any, str]] = {}
        for diagnostic in found:
            self._collector.add(diagnostic)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what the run started and remove what it wrote for itself."""
        self._close()

    @property
    def site_name(self) -> str:
        """The name of the report."""
        return self._site_name

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions, in inventory order."""
        return tuple(self._minions)

    def choose(self, globs: Sequence[str]) -> list[str]:
        """Return the ids that match one of the globs, all of them without a glob."""
        if not globs:
            return list(self._minions)
        return [
            minion
            for minion in self._minions
            if any(fnmatch.fnmatchcase(minion, glob) for glob in globs)
        ]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics so far, worst first."""
        for diagnostic in self._later():
            self._collector.add(diagnostic)
        return self._collector.finish()

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics that concern a minion, once it was compiled."""
        return self._diagnostics_of.get(minion, ())

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""
        return self._door.redact_data(self._minions[minion].grains)

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self._store.token(place)

    def compile(self, minion: str) -> CompiledPillar:
        """Compile one minion; what it has to say joins the book's diagnostics."""
        self._watch.minion = minion
        declared = self._minions[minion]
        try:
            compiled = compile_pillar(declared, self._project)
            if minion not in self._diagnostics_of:
                self._note(compiled)
        except Exception as error:  # noqa: BLE001 (told as this minion's; the others go on)
            compiled = failed_pillar(declared, error)
            self._note(compiled)
        return compiled

    def _note(self, compiled: CompiledPillar) -> None:
        found = tuple(
            replace(self._door.redact_diagnostic(one, compiled), minions=(compiled.minion,))
            for one in compiled.diagnostics
        )
        self._diagnostics_of[compiled.minion] = found
        for diagnostic in found:
            self._collector.add(diagnostic)

    def compile_all(
        self, minions: Sequence[str], step: Callable[[], None] = lambda: None
    ) -> Iterator[CompiledPillar]:
        """Yield the compiled pillar of each minion.

        Args:
            minions: Their ids.
            step: Called after each, to show progress.
        """
        for minion in minions:
            yield self.compile(minion)
            step()

    def redact(self, compiled: CompiledPillar) -> RedactedPillar:
        """Take a compiled pillar through the door."""
        try:
            return self._door.redact(compiled)
        except RecursionError as error:
            failed = failed_pillar(self._minions[compiled.minion], error)
            self._note(failed)
            return self._door.redact(failed)

    def tagged(self, pillar: RedactedPillar) -> Any:
        """Return what ``compile`` prints of a pillar, ready for ``json.dumps``."""
        if pillar.raises is not None:
            return {"$raises": pillar.raises}
        return to_json(pillar.data, self.token)

    def written(self, pillar: RedactedPillar) -> str:
        """Return what ``compile`` prints of a pillar, as JSON text.

        Minions share the objects below their top-level keys; each is written once.
        """
        keys = list(pillar.data)
        if pillar.raises is not None or not all(_is_plain_key(key) for key in keys):
            return json.dumps(self.tagged(pillar), ensure_ascii=False)
        if len(self._texts) > MOST_TEXTS:
            self._texts.clear()
        members = (f"{json.dumps(key)}: {self._text(item)}" for key, item in pillar.data.items())
        return "{" + ", ".join(members) + "}"

    def _text(self, data: Any) -> str:
        known = self._texts.get(id(data))
        if known is None:  # the data is kept beside its text, so that its id stays its own
            text = json.dumps(to_json(data, self.token), ensure_ascii=False)
            known = self._texts[id(data)] = (data, text)
        return known[1]

    def explained(self, pillar: RedactedPillar, leaves: Sequence[RedactedLeaf]) -> dict[str, Any]:
        """Return what ``explain`` prints of some leaves, ready for ``json.dumps``."""
        return {
            "schema": EXPLAIN_SCHEMA,
            "minion": pillar.minion,
            "outcome": pillar.outcome,
            "targets": [
                {
                    "target": target.target,
                    "match": target.match,
                    "saltenv": target.saltenv,
                    "file": target.file,
                    "line": target.line,
                    "matched": target.matched,
                    "sls": list(target.sls),
                }
                for target in pillar.targets
            ],
            "values": self.explained_leaves(leaves),
        }

    def explained_leaves(self, leaves: Sequence[RedactedLeaf]) -> list[dict[str, Any]]:
        """Return leaves with their origins, ready for ``json.dumps``."""
        return list(values_to_json(leaves, self.token))

    def pillar(self, minion: str) -> RedactedPillar:
        """Return what a minion gets."""
        pillar = self.redact(self.compile(minion))
        self.on_pillar()
        return pillar


def _is_plain_key(key: object) -> bool:
    return isinstance(key, str) and not key.startswith("$")
