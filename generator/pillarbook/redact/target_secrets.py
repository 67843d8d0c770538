"""The targets of top files, and the secrets in them."""

import re
from collections.abc import Iterable, Iterator

from pillarbook.compile.matchers import Verdict
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.model import KeyPath, Position
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_names import Names

HIDDEN = "<redacted>"
_MATCHER = re.compile(r"\A[A-Z]\S?@")
"""The prefix of a word in a compound target; a custom delimiter is before the ``@``."""
_COMPOUND = re.compile(r"(?:\A|[\s(])[A-Z]\S?@|\s(?:and|or|not)\s")


def secrets_in_target(expression: str, rules: Rules) -> Iterator[tuple[str, KeyPath]]:
    """Yield the secrets in a target of any kind, each with the keys before it.

    A token of a known format without a key before it is omitted: ``secret_names`` finds it.
    """
    words = expression.split() if _COMPOUND.search(expression) else [expression]
    for word in words:
        # A value may contain colons, too; the reading with the fewest keys has the whole value.
        readings = ((value, path) for path, value in _readings(word))
        found = ((text, path) for text, path in readings if rules.find_reason(path, text))
        yield from next(([one] for one in found), [])


def hide_in_target(expression: str, rules: Rules | None) -> str:
    """Return a target with a mark in place of each secret."""
    found = [] if rules is None else [text for text, _ in secrets_in_target(expression, rules)]
    for text in sorted(found, key=len, reverse=True):
        expression = expression.replace(text, HIDDEN)
    return expression


def _readings(word: str) -> Iterator[tuple[KeyPath, str]]:
    """Yield each way to read a word as keys and a value, the one with the fewest keys first."""
    found = _MATCHER.match(word)
    delimiter = (found.group()[1:-1] if found else "") or ":"
    parts = word[found.end() if found else 0 :].strip("()").split(delimiter)
    # `tokens:ci:*` tests for a key, and has no value.
    last = len(parts) if parts[-1] != "*" else 1
    for count in range(1, last):
        yield tuple(parts[:count]), delimiter.join(parts[count:])


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
