"""Which grains of minions are secret; what minions share is looked at once."""

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pillarbook.compile.memo import RepeatCache
from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.judged_paths import JudgedPath

if TYPE_CHECKING:
    from pillarbook.redact.redaction_rules import Rules

MAX_GRAINS = 50_000
"""Minions' grains that are remembered before all are let go."""
MAX_OPEN = 10_000
"""Values that are remembered as no secret; most others are those of one minion only."""
_REMEMBERED = (str, int)
"""Classes of which no two values are equal."""
_SCALARS = frozenset((str, int, bool, float, type(None)))
_CONTAINERS = (dict, list, Mapping)
"""The abstract class comes last, as to ask it takes long."""


class JudgedGrains(NamedTuple):
    """What was found among some grains."""

    secrets: tuple[tuple[KeyPath, Any], ...] = ()
    """The secret scalars with their paths."""
    may_hold_more: bool = False
    """Whether a reader may have been shown a secret that is not among them: the value beside the
    name of one, or a message that no rule calls secret."""


NOTHING = JudgedGrains()


class SecretGrains:
    """Finds the secrets among grains."""

    def __init__(self, rules: "Rules") -> None:
        self._rules = rules
        self._top = rules.at(())
        # By identity, which minions in all their environments share. The grains are kept beside the
        # result, so that their id stays their own.
        self._of_minions = LimitedCache[int, tuple[Mapping[Any, Any], JudgedGrains]](MAX_GRAINS)
        # By the name of a grain: values that are no secret, which most values of most minions are.
        self._open: dict[str, set[str | int]] = {}
        self._kept = 0
        # By identity, as the inventory has one object for equal lists and mappings.
        self._of_one = RepeatCache[tuple[Hashable, int], tuple[Any, JudgedGrains]]()

    def find(self, grains: Mapping[Any, Any]) -> JudgedGrains:
        """Return what is secret among a minion's grains, which must not change any more."""
        known = self._of_minions.get(id(grains))
        if known is None:
            known = self._of_minions[id(grains)] = (grains, self._find(grains))
        return known[1]

    def _find(self, grains: Mapping[Any, Any]) -> JudgedGrains:
        found, is_open = [], self._open
        for key, value in grains.items():
            if value.__class__ in _REMEMBERED and value in is_open.get(key, ()):
                continue
            one = self._find_one(key, value)
            if one is not NOTHING:
                found.append(one)
        may_hold_more = any(one.may_hold_more for one in found)
        may_hold_more = may_hold_more or bool(self._rules.names_beside(grains))
        if not found and not may_hold_more:
            return NOTHING
        secrets = tuple(secret for one in found for secret in one.secrets)
        return JudgedGrains(secrets, may_hold_more)

    def _find_one(self, key: Any, value: Any) -> JudgedGrains:
        if isinstance(value, _CONTAINERS):
            spot = key, id(value)
            known = self._of_one.get(spot)
            if known is None:
                is_open = self._is_open(self._top.below(key), value)
                found = NOTHING if is_open else self._look(key, value)
                known = self._of_one[spot] = (value, found)
            return known[1]
        if not self._is_open(self._top.below(key), value):
            return self._look(key, value)
        if key.__class__ is str and value.__class__ in _REMEMBERED:
            if self._kept >= MAX_OPEN:
                self._open, self._kept = {}, 0
            self._kept += 1
            self._open.setdefault(key, set()).add(value)
        return NOTHING

    def _is_open(self, at: JudgedPath, value: Any) -> bool:
        """Say whether a value is or holds no secret, nor what ``JudgedGrains.may_hold_more`` says.

        False may be wrong.
        """
        kind = value.__class__
        if kind in (dict, list) and self._rules.names_beside(value):
            return False
        if kind is dict:
            return all(self._is_open(at.below(key), one) for key, one in value.items())
        if kind is list:
            return all(self._is_open(at.below(number), one) for number, one in enumerate(value))
        if kind not in _SCALARS:
            return False
        return self._rules.judge(at, value) is None and not _may_be_sealed(value)

    def _look(self, key: Any, value: Any) -> JudgedGrains:
        secrets, may_hold_more = [], False
        for path, asked, one in scalars_of(value, (key,), (key,), self._rules):
            if self._rules.find_reason(asked, one) is not None:
                secrets.append((path, one))
            elif len(asked) != len(path) or isinstance(one, bytes | tuple) or _may_be_sealed(one):
                may_hold_more = True
        return JudgedGrains(tuple(secrets), may_hold_more) if secrets or may_hold_more else NOTHING


def _may_be_sealed(value: Any) -> bool:
    """Say whether a value may be a message of NaCl, of which the renderer opens more than rules."""
    return isinstance(value, str) and "NACL[" in value


def scalars_of(
    data: Any, path: KeyPath, asked: KeyPath, rules: "Rules"
) -> Iterator[tuple[KeyPath, KeyPath, Any]]:
    """Yield the scalars of plain data with their paths, and the keys that rules are asked about."""
    if isinstance(data, _CONTAINERS):
        for key, below, item in data_members(data, asked, rules):
            yield from scalars_of(item, (*path, key), below, rules)
    else:
        yield path, asked, data


def data_members(
    data: Mapping[Any, Any] | list[Any], asked: KeyPath, rules: "Rules | None"
) -> Iterator[tuple[Any, KeyPath, Any]]:
    """Yield keys, the paths that rules are asked about, and items of plain data."""
    keys = range(len(data)) if isinstance(data, list) else data
    if rules is None:
        for key in keys:
            yield key, (*asked, key), data[key]
    else:
        for key, (below, item) in zip(keys, rules.members(asked, data), strict=True):
            yield key, below, item
