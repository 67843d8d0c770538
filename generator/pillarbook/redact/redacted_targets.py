"""Redacts the targets of top files."""

from collections.abc import Iterable

from pillarbook.compile.matchers import Verdict
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.model import Position
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
from pillarbook.redact.secret_names import Names

MAX_VERDICTS = 50_000
"""The most verdicts on targets that are cached; then the cache is emptied."""


class RedactedTargets:
    """Redacts verdicts on targets; minions that share a verdict share the result."""

    def __init__(self, names: Names) -> None:
        self._names = names
        # By `id()`, since to compare verdicts is slow. The verdict is kept with its result so that
        # no other object gets its id. Minions with one top file share verdicts.
        self._known = LimitedCache[int, tuple[TargetVerdict, RedactedTarget]](MAX_VERDICTS)

    def forget(self) -> None:
        """Forget the results, because names are shown differently now."""
        self._known.clear()

    def redact(self, clear: TargetVerdict) -> RedactedTarget:
        """Return a redacted verdict."""
        kept = self._known.get(id(clear))
        if kept is None:
            clean = self._names.clean
            self._names.note("the target", clear.target, Position(clear.file, clear.line))
            made = RedactedTarget(
                clean(clear.target),
                clear.match,
                clean(clear.saltenv),
                clean(clear.file),
                clear.line,
                clear.matched,
                tuple(map(clean, clear.sls)),
                self._show_parts(clear.parts),
            )
            kept = self._known[id(clear)] = (clear, made)
        return kept[1]

    def _show_parts(self, clear: Iterable[Verdict]) -> tuple[VerdictPart, ...]:
        clean = self._names.clean
        return tuple(
            VerdictPart(
                clean(part.text), part.matched, self._show_parts(part.parts), part.operators
            )
            for part in clear
        )
