"""The door: clear pillar becomes redacted pillar here, and nowhere else.

Over-redaction is reversible, a leaked secret is not. What comes out holds no clear secret: not as
a value, not as an overridden value, not inside another value or an error text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, MapNode, format_path, plain
from pillarbook.redact.clear import ClearPart, ClearPillar, ClearVerdict
from pillarbook.redact.error_texts import scrub_text
from pillarbook.redact.model import Redacted, RedactedPillar, TargetVerdict, VerdictPart
from pillarbook.redact.parts import Known, Part, Sifter
from pillarbook.redact.rules import Rules
from pillarbook.redact.secrets import SHORTEST_TELLING, SecretStore

ERRORS = "_errors"
MOST_VERDICTS = 50_000
"""Verdicts on targets that are kept before all are let go."""


def redact_pillar(compiled: ClearPillar, rules: Rules | None, store: SecretStore) -> RedactedPillar:
    """Return one minion's pillar as others may see it; for many minions keep a ``Door``."""
    return Door(rules, store).redact(compiled)


class Door:
    """Redacts one minion after another; what minions share goes through once.

    Args:
        rules: What is secret; None reveals everything, and the result says so.
        store: Takes the clear values of secrets.
    """

    def __init__(self, rules: Rules | None, store: SecretStore) -> None:
        self._rules = rules
        self._store = store
        self._sifter = Sifter(rules, store)
        self._verdicts: dict[int, tuple[ClearVerdict, TargetVerdict]] = {}

    def redact_data(self, data: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return plain data that is no pillar, such as grains, redacted by the same rules."""
        made: dict[Any, Any] = self._redact_plain(data, ())
        return made

    def redact_diagnostic(self, diagnostic: Diagnostic, compiled: ClearPillar) -> Diagnostic:
        """Return a diagnostic about a minion without the secrets of that minion."""
        if self._rules is None:
            return diagnostic
        secrets = _first_paths(self._sift(compiled).values())
        help_text = diagnostic.help
        return replace(
            diagnostic,
            message=self._scrub(diagnostic.message, secrets),
            help=None if help_text is None else self._scrub(help_text, secrets),
        )

    def redact(self, compiled: ClearPillar) -> RedactedPillar:
        """Return one minion's pillar as others may see it."""
        self._sifter.trim()
        tree = compiled.tree
        parts = self._sift(compiled)
        secrets = _first_paths(parts.values())
        if secrets:
            parts = self._put_away_copies(tree, parts, secrets)
        data = {key: part.data for key, part in parts.items()}
        if compiled.errors and ERRORS in tree.items:
            entries = self._scrub_data(plain(tree.items[ERRORS]), secrets)
            data = {key: data.get(key, entries) for key in tree.items}
        return RedactedPillar(
            minion=compiled.minion,
            outcome=compiled.outcome,
            leaves=tuple(leaf for part in parts.values() for leaf in part.leaves),
            data=data,
            errors=tuple(self._scrub(text, secrets) for text in compiled.errors),
            raises=None if compiled.raises is None else self._scrub(compiled.raises, secrets),
            targets=tuple(map(self._verdict, compiled.targets)),
            pillarenv=compiled.pillarenv,
            saltenv=compiled.saltenv,
            revealed=self._rules is None,
        )

    def _verdict(self, clear: ClearVerdict) -> TargetVerdict:
        """Return one object for all minions of whom a verdict is one object."""
        kept = self._verdicts.get(id(clear))
        if kept is None:
            made = TargetVerdict(
                clear.target,
                clear.match,
                clear.saltenv,
                clear.file,
                clear.line,
                clear.matched,
                clear.sls,
                _parts(clear.parts),
            )
            if len(self._verdicts) >= MOST_VERDICTS:
                self._verdicts.clear()
            kept = self._verdicts[id(clear)] = (clear, made)  # its id stays its own while kept
        return kept[1]

    def _sift(self, compiled: ClearPillar) -> dict[Any, Part]:
        """Return the part of each top-level key, but for Salt's errors."""
        self._sifter.index(render.tree for render in compiled.renders)
        tree = compiled.tree
        return {
            key: self._sifter.sift(node, self._sifter.top.below(key), tree.overrode)
            for key, node in tree.items.items()
            if not (key == ERRORS and compiled.errors)
        }

    def _put_away_copies(
        self, tree: MapNode, parts: dict[Any, Part], secrets: dict[str, KeyPath]
    ) -> dict[Any, Part]:
        """Return the parts with secrets put away wherever else their texts stand."""
        long = {clear: path for clear, path in secrets.items() if len(clear) >= SHORTEST_TELLING}
        made = {}
        for key, part in parts.items():
            found = self._sifter.open_texts(part).find(long)
            known: Known = tuple((clear, format_path(long[clear])) for clear in found)
            step = self._sifter.top.below(key)
            made[key] = (
                self._sifter.sift(tree.items[key], step, tree.overrode, known) if known else part
            )
        return made

    def _redact_plain(self, data: Any, path: KeyPath) -> Any:
        if isinstance(data, Mapping):
            return {key: self._redact_plain(item, (*path, key)) for key, item in data.items()}
        if isinstance(data, list):
            return [self._redact_plain(item, (*path, at)) for at, item in enumerate(data)]
        reason = None if self._rules is None else self._rules.find_reason(path, data)
        return data if reason is None else Redacted(reason, self._store.place(data))

    def _scrub(self, text: str, secrets: Iterable[str]) -> str:
        return text if self._rules is None else scrub_text(text, secrets, self._rules)

    def _scrub_data(self, data: Any, secrets: Iterable[str]) -> Any:
        if isinstance(data, dict):
            return {key: self._scrub_data(item, secrets) for key, item in data.items()}
        if isinstance(data, list):
            return [self._scrub_data(item, secrets) for item in data]
        return self._scrub(data, secrets) if isinstance(data, str) else data


def _first_paths(parts: Iterable[Part]) -> dict[str, KeyPath]:
    """Return each secret text of some parts with the first path that it stands at."""
    found: dict[str, KeyPath] = {}
    for part in parts:
        for clear, path in part.secrets:
            found.setdefault(clear, path)
    return found


def _parts(clear: Iterable[ClearPart]) -> tuple[VerdictPart, ...]:
    return tuple(
        VerdictPart(part.text, part.matched, _parts(part.parts), part.operators) for part in clear
    )
