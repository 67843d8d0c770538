"""Applies the configuration to diagnostics: sets their severity, and ignores some of them."""

import fnmatch
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeAlias

from pillarbook.diagnostics import Collector, Diagnostic
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.rule_settings import RuleSetting
from pillarbook.patterns.key_paths import matches

GivenDiagnostics: TypeAlias = tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]
"""Diagnostics that count, and ignored diagnostics."""


class SeverityRules:
    """Collects diagnostics; ignored ones are kept apart."""

    def __init__(self, settings: Mapping[str, RuleSetting], asked: Collection[str] = ()) -> None:
        """Take the settings of rules, and the rules that are named by the command."""
        self._settings = settings
        self._off = {
            code
            for code, rule in RULES.items()
            if rule.is_asked and code not in settings and code not in asked
        }
        self._kept = Collector()
        self.finish = self._kept.finish
        """Returns the diagnostics that count, worst first."""
        self._ignored = Collector()

    def add(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Add a diagnostic; return it for the minions for which it counts, None for no minion."""
        if diagnostic.code in self._off:
            return None
        kept = self.judge(diagnostic)
        if kept is None or kept.minions != diagnostic.minions:
            self._ignored.add(diagnostic)
        if kept is not None:
            self._kept.add(kept)
        return kept

    def judge(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Return the result of ``add`` for a diagnostic, without adding it."""
        if diagnostic.code in self._off:
            return None
        setting = self._settings.get(diagnostic.code)
        return diagnostic if setting is None else _judge(diagnostic, setting)

    def ignores(self, code: str, minion: str) -> bool:
        """Say whether a rule is ignored for a minion id, which need not be declared."""
        setting = self._settings.get(code)
        return setting is not None and _is_among(minion, setting.minions)

    @property
    def ignored(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that the configuration ignores, for some minions or for all."""
        return self._ignored.finish()

    def give(self) -> GivenDiagnostics:
        """Return what was added, for another process."""
        return self._kept.finish(), self._ignored.finish()

    def take(self, given: GivenDiagnostics) -> None:
        """Add what was added in another process."""
        for collector, found in zip((self._kept, self._ignored), given, strict=True):
            for diagnostic in found:
                collector.add(diagnostic)


def _judge(diagnostic: Diagnostic, setting: RuleSetting) -> Diagnostic | None:
    if setting.off or _is_ignored(diagnostic, setting):
        return None
    severity = diagnostic.severity if setting.severity is None else setting.severity
    minions = tuple(one for one in diagnostic.minions if not _is_among(one, setting.minions))
    if diagnostic.minions and not minions:
        return None
    return replace(diagnostic, severity=severity, minions=minions)


def _is_ignored(diagnostic: Diagnostic, setting: RuleSetting) -> bool:
    keys = tuple(pattern.lower() for pattern in setting.keys)
    if keys and diagnostic.path is not None and matches(keys, diagnostic.path):
        return True
    first = () if diagnostic.position is None else (diagnostic.position,)
    return any(_is_among(place.file, setting.files) for place in (*first, *diagnostic.related))


def _is_among(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, glob) for glob in globs)
