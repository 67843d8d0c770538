"""Gathers diagnostics; the same fault on many minions is one diagnostic."""

from dataclasses import dataclass, field, replace

from pillarbook.diagnostics.diagnostic import Diagnostic


@dataclass
class Collector:
    """Folds equal diagnostics over minions."""

    _found: dict[Diagnostic, dict[str, None]] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        """Take one diagnostic; its minions join those of an equal one."""
        minions = self._found.setdefault(replace(diagnostic, minions=()), {})
        minions.update(dict.fromkeys(diagnostic.minions))

    def finish(self) -> tuple[Diagnostic, ...]:
        """Return all of them: worst first, then by file, line, code and message."""
        full = (
            replace(diagnostic, minions=tuple(minions))
            for diagnostic, minions in self._found.items()
        )
        return tuple(sorted(full, key=_sort_key))


def _sort_key(diagnostic: Diagnostic) -> tuple[int, str, int, str, str]:
    place = diagnostic.position
    file, line = (place.file, place.line or 0) if place else ("", 0)
    return (-diagnostic.severity, file, line, diagnostic.code, diagnostic.message)
