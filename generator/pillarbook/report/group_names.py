"""Names for groups of minions, in words that a person would use.

A group is compared with the tags of its minions and with globs of their ids. Its name is
``os:Debian`` if exactly its minions have that tag, else the nearest match with the exceptions.
Groups are sets of bits, one for each minion, so that ten thousand of them compare in no time.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from pillarbook.model.limited_cache import recall
from pillarbook.report.minion_sets import first_of, numbers_in, set_of
from pillarbook.report.tags import read_tags

FEW = 3
"""Minions that are named one by one; exceptions, too."""
PAIR = 2
"""Minions that no tag with a number names, because their ids say more."""
MAX_TERMS = 3
"""Tags that are joined by ``or``."""
MAX_EXCEPTIONS = 10
"""Exceptions that a name may have; if there are more, the name has their number."""
LEAST_SHARE = 0.5
"""The share of those that tags mean, from which on they name a group that is a part of them."""
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+(?![a-zA-Z\d])")
"""Digits that are not within a word, as those of ``k8s`` are."""


@dataclass(frozen=True, slots=True)
class GroupName:
    """What a group is called."""

    minions: int
    """How many it has."""
    terms: tuple[str, ...] = ()
    """Tags or globs."""
    join: str = "and"
    """What is between them: ``and`` or ``or``."""
    ids: tuple[str, ...] = ()
    """Its minions if they are few; else one of them, if there is no better name."""
    excepted: tuple[str, ...] = ()
    """Minions that the terms match but that are not in the group, if they are few."""
    exceptions: int = 0
    """How many they are."""
    rest: tuple[str, ...] = ()
    """Tags or globs of the exceptions, joined by ``join``, if they are many."""
    is_all: bool = False
    """Whether it is the fleet, but for the exceptions."""

    @property
    def tells_all(self) -> bool:
        """Whether the words say of each minion if it is in the group."""
        if self.terms or self.is_all:
            return self.exceptions == len(self.excepted) or bool(self.rest)
        return self.lists_each

    @property
    def lists_each(self) -> bool:
        """Whether the words are the group's minions, one by one."""
        return not self.terms and not self.is_all and len(self.ids) == self.minions

    def write(self, code: Callable[[str], str], link: Callable[[str], str]) -> str:
        """Return the name."""
        if self.is_all:
            return self._write_all(code, link)
        if self.terms:
            told = f" {self.join} ".join(map(code, self.terms))
            if self.exceptions > len(self.excepted):
                return f"{self.minions:,} of the {self.minions + self.exceptions:,} of {told}"
            if self.exceptions:
                return f"{self.minions:,} of {told}, {self._except(link)}"
            return (
                f"{say_all(self.minions)} of {told}" if self.minions > 1 else f"the one of {told}"
            )
        if len(self.ids) == self.minions:
            return ", ".join(map(link, self.ids))
        return f"{self.minions:,} minions, such as {link(self.ids[0])}"

    def _write_all(self, code: Callable[[str], str], link: Callable[[str], str]) -> str:
        if self.exceptions > len(self.excepted):
            terms = f" {self.join} ".join(map(code, self.rest))
            rest = f", all except the {self.exceptions:,} of {terms}" if terms else ""
            return f"{self.minions:,} of {self.minions + self.exceptions:,} minions{rest}"
        return self._except(link) if self.exceptions else f"{say_all(self.minions)} minions"

    def _except(self, link: Callable[[str], str]) -> str:
        return f"all except {', '.join(map(link, self.excepted))}"


def say_all(count: int) -> str:
    """Return the words for all of some minions: ``both``, ``all 412``."""
    return "both" if count == PAIR else f"all {count:,}"


class GroupNames:
    """Finds names of groups.

    ``tags`` are those of each minion, in inventory order; those that say most come first.
    """

    def __init__(self, tags: Mapping[str, Sequence[str]]) -> None:
        self._ids = tuple(tags)
        self._numbers = {minion: number for number, minion in enumerate(self._ids)}
        self._tags = tags
        self._all = (1 << len(self._ids)) - 1
        members: dict[str, list[int]] = {}
        for number, own in enumerate(tags.values()):
            for tag in own:
                members.setdefault(tag, []).append(number)
        self._holders = {tag: set_of(numbers) for tag, numbers in members.items()}
        self._globs: dict[str, int] = {}
        # By the set of members: tags and globs are fixed by now. Many changes have the same
        # members.
        self._known: dict[int, GroupName] = {}

    def describe(
        self, minions: Iterable[str], code: Callable[[str], str], link: Callable[[str], str]
    ) -> str:
        """Return words for some minions, such as ``all 412 of `os:Debian` ``."""
        return self.name(self.set_of(minions)).write(code, link)

    def describe_kind(self, minions: Sequence[str]) -> str:
        """Return what some minions have in common, without their number; else their ids.

        It stays the same if the fleet gets one more minion of the kind.
        """
        name = self.name(self.set_of(minions))
        if name.exceptions or not (name.terms or name.is_all):
            return "\n".join(sorted(minions))
        return f" {name.join} ".join(name.terms) if name.terms else "*"

    def set_of(self, minions: Iterable[str]) -> int:
        """Return a group as a set of bits."""
        return set_of(map(self._numbers.__getitem__, minions))

    def members_of(self, term: str) -> int:
        """Return the minions that a tag or a glob means, as a set of bits."""
        return self._holders[term] if term in self._holders else self._match(term)

    def name(self, group: int) -> GroupName:
        """Return what a group is called."""
        return recall(self._known, group, partial(self._find, group))

    def _find(self, group: int) -> GroupName:
        size = group.bit_count()
        if size == 1:
            return GroupName(1, ids=self._name_ids(group))
        if group == self._all:
            return GroupName(size, is_all=True)
        first = self._ids[first_of(group, 1)[0]]
        covering = self._list_covering(group)
        return (
            self._find_exact(group, covering)
            or self._find_union(group)
            or self._list_few(group)
            or self._find_nearly(group, covering)
            or GroupName(size, ids=(first,))
        )

    def _list_covering(self, group: int) -> list[tuple[str, int]]:
        """Return the terms that mean all of a group, with those that have them."""
        return [
            (term, holders)
            for term, holders in self._terms_of(self._ids[first_of(group, 1)[0]])
            if not group & ~holders and holders != self._all
            if group.bit_count() > PAIR or not _is_number(term)
        ]

    def _terms_of(self, minion: str) -> Iterator[tuple[str, int]]:
        """Yield the tags of a minion, and globs of its id, with those that have them."""
        for tag in self._tags[minion]:
            yield tag, self._holders[tag]
        for glob in _globs_of(minion):
            yield glob, self._match(glob)

    def _match(self, glob: str) -> int:
        if glob not in self._globs:
            begin, _, end = glob.partition("*")
            least = len(begin) + len(end)
            self._globs[glob] = set_of(
                number
                for number, minion in enumerate(self._ids)
                if minion.startswith(begin) and minion.endswith(end) and len(minion) >= least
            )
        return self._globs[glob]

    def _find_exact(self, group: int, covering: Sequence[tuple[str, int]]) -> GroupName | None:
        """Return one or two terms that match exactly the group."""
        size = group.bit_count()
        for term, holders in covering:
            if holders == group:
                return GroupName(size, (term,))
        for (one, some), (other, others) in combinations(covering, 2):
            if some & others == group:
                return GroupName(size, (one, other))
        return None

    def _find_union(self, group: int) -> GroupName | None:
        """Return a few tags that together mean the group."""
        terms: list[str] = []
        left = group
        while left and len(terms) < MAX_TERMS:
            own = self._tags[self._ids[first_of(left, 1)[0]]]
            inside = [tag for tag in own if not self._holders[tag] & ~group]
            if group.bit_count() <= PAIR:
                inside = [tag for tag in inside if not _is_number(tag)]
            if not inside:
                return None
            met = [(self._holders[tag] & left).bit_count() for tag in inside]
            terms.append(inside[met.index(max(met))])
            left &= ~self._holders[terms[-1]]
        return None if left else GroupName(group.bit_count(), tuple(terms), "or")

    def _list_few(self, group: int) -> GroupName | None:
        size = group.bit_count()
        return GroupName(size, ids=self._name_ids(group)) if size <= FEW else None

    def _find_nearly(self, group: int, covering: Sequence[tuple[str, int]]) -> GroupName | None:
        """Return the terms that mean the fewest others."""
        size = group.bit_count()
        candidates: list[tuple[tuple[str, ...], int]] = [((), self._all)]
        candidates += (((term,), holders) for term, holders in covering)
        candidates += (
            ((one, other), some & others)
            for (one, some), (other, others) in combinations(covering, 2)
        )
        terms, holders = min(candidates, key=lambda pair: (pair[1].bit_count(), len(pair[0])))
        left = holders & ~group
        exceptions = left.bit_count()
        is_part = size >= LEAST_SHARE * (size + exceptions)
        if not is_part or (not terms and exceptions > MAX_EXCEPTIONS):
            return None
        rest = None
        if not terms and exceptions > FEW:
            rest = self._find_exact(left, self._list_covering(left)) or self._find_union(left)
        return GroupName(
            size,
            terms,
            rest.join if rest else "and",
            excepted=self._name_ids(left) if exceptions <= FEW else (),
            exceptions=exceptions,
            rest=rest.terms if rest else (),
            is_all=not terms,
        )

    def _name_ids(self, group: int) -> tuple[str, ...]:
        return tuple(self._ids[number] for number in numbers_in(group))


def _is_number(tag: str) -> bool:
    """Say whether a tag has a number, such as ``num_cpus:16``, which says little of its minions."""
    return tag.rpartition(":")[2].isdecimal()


def _globs_of(minion: str) -> Iterator[str]:
    """Yield globs that people would write for a minion and its like."""
    number = _NUMBER.search(minion) or _DIGITS.search(minion)
    if number is not None and number.start():
        yield f"{minion[: number.start()]}*{minion[number.end() :]}"
        yield f"{minion[: number.start()]}*"
    _, dot, domain = minion.partition(".")
    if dot:
        yield f"*.{domain}"
    begin, dash, _ = minion.partition("-")
    if dash:
        yield f"{begin}-*"


class MinionWords:
    """Finds words for groups of minions.

    ``fleet`` has each minion with its grains, without secrets; it is empty if they are not known.
    """

    def __init__(self, fleet: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._fleet = fleet

    @cached_property
    def _names(self) -> GroupNames:
        # To look at all grains of a large fleet takes time, and most comparisons find no change.
        return GroupNames(read_tags(self._fleet))

    def describe(
        self, minions: Iterable[str], code: Callable[[str], str], link: Callable[[str], str]
    ) -> str:
        """Return words for some minions, as ``GroupNames.describe`` does."""
        return self._names.describe(minions, code, link)

    def describe_kind(self, minions: Sequence[str]) -> str:
        """Return what some minions have in common, as ``GroupNames.describe_kind`` does."""
        return self._names.describe_kind(minions)
