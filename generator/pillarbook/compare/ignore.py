"""Which changes the configuration ignores.

An ignored change stays a change, with the number of its rule. No rule about values matches a
secret, because an ignored change would reveal something about it.
"""

import fnmatch
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeAlias

import yaml

from pillarbook.compare.change import Change
from pillarbook.compare.strict import Fingerprints
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.inventory.config_yaml import compose
from pillarbook.model.shared_results import SharedResults
from pillarbook.patterns.key_paths import lower_patterns, matches

# The expression is the user's, and anybody may write the value: together they may take forever.
MAX_TEXT = 1_000
"""The most characters of a value that regular expressions match."""

Fits: TypeAlias = Callable[[re.Pattern[str], str], bool | None]
"""Says whether an expression matches a whole text; None if that takes too long."""


def fits_whole(pattern: re.Pattern[str], text: str) -> bool:
    """Say whether an expression matches a whole text, without a time limit."""
    return pattern.fullmatch(text) is not None


class Ignore:
    """Finds the rule that ignores a change.

    ``fits`` matches values, and limits the time of expressions. ``clean`` returns a pattern without
    secrets.
    """

    def __init__(
        self,
        rules: Sequence[IgnoreRule],
        fits: Fits = fits_whole,
        notes: Sequence[str] = (),
        clean: Callable[[str], str] = str,
    ) -> None:
        self.rules = tuple(rules)
        """The rules; their numbers count from 1."""
        self._clean = clean
        self._rules = [_Rule(number, rule, fits) for number, rule in enumerate(rules, 1)]
        self._notes = tuple(notes)
        # By the changes and the rules for the minion. A comparison holds its changes to the end, so
        # keeping them costs nothing.
        self._found: SharedResults[_Found] = SharedResults()
        self._fits: SharedResults[tuple[_Rule, ...]] = SharedResults()

    def find(self, minion: str, changes: Sequence[Change]) -> tuple[int | None, ...]:
        """Return, for each change, the number of the first rule that ignores it, or None.

        The result is empty if there are no rules. The changes must not change later; an object that
        many minions share is processed once.
        """
        return self._find(minion, changes).rules if self._rules else ()

    def keep(self, minion: str, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Return the changes that no rule ignores; one object for minions with the same changes."""
        return self._find(minion, changes).kept if self._rules else changes

    def shown_keys(self) -> list[tuple[str, ...]]:
        """Return the patterns of keys of each rule, without secrets."""
        return [tuple(map(self._clean, rule.keys)) for rule in self.rules]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader about the rules, and about expressions that took too long."""
        slow = (
            f"a regular expression of rule {rule.number} of `changes: ignore` takes too long, so"
            " the rule may ignore too few changes"
            for rule in self._rules
            if rule.is_slow
        )
        return (*self._notes, *slow)

    def _find(self, minion: str, changes: Sequence[Change]) -> "_Found":
        mine = frozenset(rule.number for rule in self._rules if rule.is_of(minion))
        return self._found.find(lambda: self._apply(mine, changes), changes, also=mine)

    def _apply(self, mine: frozenset[int], changes: Sequence[Change]) -> "_Found":
        rules = tuple(
            next((rule.number for rule in self._fitting(change) if rule.number in mine), None)
            for change in changes
        )
        both = zip(changes, rules, strict=True)
        return _Found(rules, tuple(change for change, rule in both if rule is None))

    def _fitting(self, change: Change) -> "tuple[_Rule, ...]":
        """Return the rules that ignore a change of their minions."""
        return self._fits.find(
            lambda: tuple(rule for rule in self._rules if rule.fits(change)), change
        )


class _Found(NamedTuple):
    """The rules that ignore some changes."""

    rules: tuple[int | None, ...]
    kept: tuple[Change, ...]


class _Rule:
    """One rule, compiled."""

    def __init__(self, number: int, rule: IgnoreRule, fits: Fits) -> None:
        self.number = number
        self.is_slow = False
        self._rule = rule
        self._keys = lower_patterns(rule.keys)
        self._patterns = [re.compile(pattern) for pattern in rule.values]
        self._fits = fits

    def is_of(self, minion: str) -> bool:
        """Say whether the rule is for a minion."""
        globs = self._rule.minions
        return not globs or any(fnmatch.fnmatchcase(minion, glob) for glob in globs)

    def fits(self, change: Change) -> bool:
        """Say whether the rule ignores a change."""
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
    """Return the text of a scalar, as JSON has it; None for other values and for secrets."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value)) if value.bit_length() <= MAX_TEXT else None
    if isinstance(value, float):
        return repr(float(value))
    return value.isoformat() if isinstance(value, date) else None


MAX_LENGTH = 256 * 1024
"""Characters; a longer text is not parsed."""
# A short text with aliases can have billions of nodes.
MAX_NODES = 100_000
"""The most nodes of a YAML text, with aliases expanded."""
_MERGE_TAG = "tag:yaml.org,2002:merge"
_NO_DATA = (
    *(yaml.YAMLError, ValueError, RecursionError, OverflowError),
    # from PyYAML, for a tag that does not fit its scalar
    *(LookupError, AttributeError, TypeError),
)


def are_same_data(before: str, after: str, form: str) -> bool:
    """Say whether two texts are the same mapping or list after parsing, as JSON or YAML.

    Anybody may have written the texts, so their size is limited. Content that parsers may read in
    different ways does not count as data: a duplicate key, a number that is too large.

    The order of keys does not count, types do. A text with a single value is just a text: as
    numbers, the versions 1.1 and 1.10 would be equal.

    ``form`` is ``json`` or ``yaml``.
    """
    if len(before) > MAX_LENGTH or len(after) > MAX_LENGTH:
        return False
    parse = _PARSERS[form]
    try:
        one, other = parse(before), parse(after)
        if not isinstance(one, dict | list) or not isinstance(other, dict | list):
            return False
        prints = Fingerprints(in_order=False)
        return prints.of(one) == prints.of(other)
    except _NO_DATA:
        return False


def _parse_json(text: str) -> Any:
    return json.loads(
        text, object_pairs_hook=_as_mapping, parse_float=_as_float, parse_constant=_refuse
    )


def _as_mapping(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    members = list(pairs)
    made = dict(members)
    if len(made) != len(members):
        _refuse("a key twice")
    return made


def _as_float(text: str) -> float:
    made = float(text)
    if not math.isfinite(made):
        _refuse("a number that is too large")
    return made


def _refuse(what: str) -> NoReturn:
    raise ValueError(what)


def _parse_yaml(text: str) -> Any:
    loader = yaml.CSafeLoader(text)
    try:
        node = compose(loader, text)
        if node is None:
            return None
        _weigh(loader, node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _weigh(loader: yaml.CSafeLoader, node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """Return the number of nodes at and below a node; infinite if the node contains itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if node not in known:
        if isinstance(node, yaml.MappingNode):
            _check_keys(loader, node)
            below = [part for pair in node.value for part in pair]
        else:
            below = node.value
        weight = 1
        for one in below:  # a loop, because a comprehension needs more stack
            weight += _weigh(loader, one, known)
        if weight > MAX_NODES:
            _refuse("too many nodes")
        known[node] = weight
    return known[node]


def _check_keys(loader: yaml.CSafeLoader, node: yaml.MappingNode) -> None:
    """Refuse keys that are not scalars, and duplicate keys."""
    seen = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            _refuse("a key that is no scalar")
        if key.tag == _MERGE_TAG:
            continue
        made = loader.construct_object(key)
        if made in seen:
            _refuse("a key twice")
        seen.add(made)


_PARSERS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {"json": _parse_json, "yaml": _parse_yaml}
)
