"""The secrets of a fleet in groups that people can take in: who reads the same, and what is alike.

Where each minion has a value of its own under a key path, by one line of a file, those values are
one item: else no two minions would read the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pillarbook.model import KeyPath
from pillarbook.report.group_names import GroupName, GroupNames
from pillarbook.report.key_patterns import typed_path
from pillarbook.report.row_ids import ListPositions
from pillarbook.report.secret_access import FleetSecrets, ReaderGroup, Route, Secret, sort_readers

LEAST_OWN = 4
"""Values from which on those of one line may be one item."""
MAX_SHARED = 2
"""Minions that read a value of their own, on average."""


@dataclass(frozen=True, slots=True)
class Item:
    """A secret, or the values of one key path that minions have of their own."""

    secrets: tuple[Secret, ...]
    """The secrets; more than one if each minion has its own."""
    minions: int
    """How many read any of them."""

    @property
    def path(self) -> KeyPath:
        """The key path."""
        return self.secrets[0].path

    @property
    def positions(self) -> ListPositions:
        """Which places of it are positions in a list."""
        return self.secrets[0].positions

    @property
    def is_forgeable(self) -> bool:
        """Whether minions could get one of them by setting grains."""
        return any(secret.is_forgeable for secret in self.secrets)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The ways by which they come."""
        routes = (way.route for secret in self.secrets for way in secret.ways)
        return tuple(dict.fromkeys(routes))


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Items that the same minions read."""

    items: tuple[int, ...]
    """Their numbers."""
    readers: tuple[int, ...]
    """The groups of minions, by their places among all groups."""
    together: int
    """All these minions, as a set of bits."""

    @property
    def minions(self) -> int:
        """How many read them."""
        return self.together.bit_count()


@dataclass(frozen=True, slots=True)
class SecretGroups:
    """Items and groups of minions, and which group reads which item."""

    items: tuple[Item, ...]
    readers: tuple[ReaderGroup, ...]
    """Groups of minions that read the same items, the largest first."""
    groups: tuple[ItemGroup, ...]
    """The items by who reads them, the most widely read first."""
    names: GroupNames
    """Names groups of minions, when they are asked for."""

    def name(self, number: int) -> GroupName:
        """Return what a group of minions is called."""
        return self.names.name(self.names.set_of(self.readers[number].minions))


def group_secrets(found: FleetSecrets, names: GroupNames) -> SecretGroups:
    """Return who reads what, in groups."""
    item_of = _find_items(found.secrets)
    numbers: dict[object, int] = {}
    secrets_of: list[list[Secret]] = []
    for secret, item in zip(found.secrets, item_of, strict=True):
        number = numbers.setdefault(item, len(numbers))
        if number == len(secrets_of):
            secrets_of.append([])
        secrets_of[number].append(secret)
    merged: dict[tuple[int, ...], list[str]] = {}
    for one in found.readers:
        key = tuple(sorted({numbers[item_of[secret]] for secret in one.secrets}))
        merged.setdefault(key, []).extend(one.minions)
    readers = sort_readers(merged.items())
    sets = [names.set_of(one.minions) for one in readers]
    groups = tuple(_group_items(readers, sets))
    minions = {item: group.minions for group in groups for item in group.items}
    items = tuple(
        Item(tuple(secrets), minions[number]) for number, secrets in enumerate(secrets_of)
    )
    return SecretGroups(items, readers, groups, names)


def _find_items(secrets: Iterable[Secret]) -> list[object]:
    """Return a key for the item of each secret."""
    secrets = list(secrets)
    lines: dict[object, list[Secret]] = {}
    for secret in secrets:
        lines.setdefault(_line_of(secret), []).append(secret)
    return [
        _line_of(secret) if _is_own(lines[_line_of(secret)]) else secret.number
        for secret in secrets
    ]


def _line_of(secret: Secret) -> object:
    keys = typed_path(secret.path)
    return keys, frozenset((source.file, source.line) for source, _ in secret.sources)


def _is_own(secrets: Sequence[Secret]) -> bool:
    """Say whether the values of one line are each minion's own."""
    readers = sum(secret.minions for secret in secrets)
    return len(secrets) >= LEAST_OWN and readers <= MAX_SHARED * len(secrets)


def _group_items(readers: Sequence[ReaderGroup], sets: Sequence[int]) -> Iterable[ItemGroup]:
    """Return the items by who reads them."""
    groups_of: dict[int, list[int]] = {}
    for number, one in enumerate(readers):
        for item in one.secrets:
            groups_of.setdefault(item, []).append(number)
    by_readers: dict[tuple[int, ...], list[int]] = {}
    for item in sorted(groups_of):
        by_readers.setdefault(tuple(groups_of[item]), []).append(item)
    found = []
    for numbers, items in by_readers.items():
        together = 0
        for number in numbers:
            together |= sets[number]
        found.append(ItemGroup(tuple(items), numbers, together))
    return sorted(found, key=lambda group: -group.minions)
