"""Which changes the configuration ignores.

A change that is ignored stays a change, with the number of the rule that ignores it. A secret fits
no rule about values: what is left out would say something about it.
"""

import fnmatch
import re
from collections.abc import Callable, Hashable, Sequence
from datetime import date
from typing import Any, NamedTuple, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.parsed_texts import are_same_data
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.redact.key_paths import lower_patterns, matches

# The expression is the user's and the value anybody's: together they may take time without end.
MAX_TEXT = 1_000
"""Characters of a value that is matched with regular expressions."""

Fits: TypeAlias = Callable[[re.Pattern[str], str], bool | None]
"""Says whether a text fits an expression as a whole; None if that takes too long."""


def fits_whole(pattern: re.Pattern[str], text: str) -> bool:
    """Say whether a text fits an expression as a whole, however long that takes."""
    return pattern.fullmatch(text) is not None


class Ignore:
    """Says of the changes of minions which rule ignores them.

    ``fits`` matches values, and guards against expressions that take too long.
    """

    def __init__(
        self, rules: Sequence[IgnoreRule], fits: Fits = fits_whole, notes: Sequence[str] = ()
    ) -> None:
        self.rules = tuple(rules)
        """The rules; their numbers count from 1."""
        self._rules = [_Rule(number, rule, fits) for number, rule in enumerate(rules, 1)]
        self._notes = tuple(notes)
        # By the changes and the rules that are of the minion. A comparison holds its changes until
        # its end, so keeping them costs nothing more.
        self._found: dict[Hashable, _Found] = {}
        self._known: dict[int, tuple[Change, tuple[_Rule, ...]]] = {}

    def find(self, minion: str, changes: Sequence[Change]) -> tuple[int | None, ...]:
        """Return for each change the number of the first rule that ignores it, None for none.

        The result is empty if there are no rules.

        The changes may not be changed later; one object that many minions have is looked at once.
        """
        return self._find(minion, changes).rules if self._rules else ()

    def keep(self, minion: str, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Return the changes that no rule ignores; one object for minions that differ alike."""
        return self._find(minion, changes).kept if self._rules else changes

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the rules, also of those that took too long."""
        slow = (
            f"a regular expression of rule {rule.number} of `changes: ignore` takes too long, so"
            " the rule may ignore too few changes"
            for rule in self._rules
            if rule.is_slow
        )
        return (*self._notes, *slow)

    def _find(self, minion: str, changes: Sequence[Change]) -> "_Found":
        mine = frozenset(rule.number for rule in self._rules if rule.is_of(minion))
        known = self._found.get((id(changes), mine))
        if known is None:  # the changes are kept, so that their id stays their own
            rules = tuple(
                next((rule.number for rule in self._fitting(change) if rule.number in mine), None)
                for change in changes
            )
            both = zip(changes, rules, strict=True)
            kept = tuple(change for change, rule in both if rule is None)
            known = self._found[id(changes), mine] = _Found(changes, rules, kept)
        return known

    def _fitting(self, change: Change) -> "tuple[_Rule, ...]":
        """Return the rules that ignore a change of their minions."""
        known = self._known.get(id(change))
        if known is None:  # the change is kept, so that its id stays its own
            fitting = tuple(rule for rule in self._rules if rule.fits(change))
            known = self._known[id(change)] = (change, fitting)
        return known[1]


class _Found(NamedTuple):
    """Some changes, and which rules ignore them."""

    changes: Sequence[Change]
    rules: tuple[int | None, ...]
    kept: tuple[Change, ...]


class _Rule:
    """One rule, ready to be asked."""

    def __init__(self, number: int, rule: IgnoreRule, fits: Fits) -> None:
        self.number = number
        self.is_slow = False
        self._rule = rule
        self._keys = lower_patterns(rule.keys)
        self._patterns = [re.compile(pattern) for pattern in rule.values]
        self._fits = fits

    def is_of(self, minion: str) -> bool:
        """Say whether a minion is one of those that the rule is for."""
        globs = self._rule.minions
        return not globs or any(fnmatch.fnmatchcase(minion, glob) for glob in globs)

    def fits(self, change: Change) -> bool:
        """Say whether a change is one that the rule ignores."""
        rule = self._rule
        return (
            (not rule.kinds or change.kind in rule.kinds)
            and (not self._keys or matches(self._keys, change.path))
            and (rule.same_as is None or _are_same(change, rule.same_as))
            and (not rule.values or all(map(self._fits_any, _values_of(change))))
        )

    def _fits_any(self, value: Any) -> bool:
        text = _text_of(value)
        if text is None or len(text) > MAX_TEXT:
            return False
        for pattern in list(self._patterns):
            fits = self._fits(pattern, text)
            if fits:
                return True
            if fits is None:
                self.is_slow = True
                self._patterns.remove(pattern)
        return False


def _are_same(change: Change, form: str) -> bool:
    before, after = change.before, change.after
    if change.kind != "changed" or not isinstance(before, str) or not isinstance(after, str):
        return False
    return are_same_data(before, after, form)


def _values_of(change: Change) -> tuple[Any, ...]:
    if change.kind == "added":
        return (change.after,)
    return (change.before,) if change.kind == "removed" else (change.before, change.after)


def _text_of(value: Any) -> str | None:
    """Return the text of a scalar, as JSON has it; None for all else, secrets among it."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value)) if value.bit_length() <= MAX_TEXT else None
    if isinstance(value, float):
        return repr(float(value))
    return value.isoformat() if isinstance(value, date) else None
