"""What a minion would have to be for a target to match it.

A target is taken for its words and the logic over them, by the same program that matches it. Each
way to make it true asks for an id of some form, and for grains with certain values.
"""

import ipaddress
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from pillarbook.bootstrap.examples import glob_examples, pcre_example
from pillarbook.compile.matchers import IdKind, MatcherError, Subject, match_id
from pillarbook.compile.matchers.compound_logic import evaluate_logic
from pillarbook.compile.matchers.compound_program import Program, Term, compile_compound
from pillarbook.compile.matchers.declared_subject import KnownSubject
from pillarbook.compile.matchers.nodegroup_comp import expand_nodegroup

# All combinations of true and false: 1,024 with ten words.
MAX_WORDS = 10
"""Words of a target of which every combination is tried."""
MAX_WAYS = 40
"""Ways to make one target true that are tried."""
USUAL_HOST = 10
"""Which address of a network a minion gets; the first ones are usually those of routers."""
ID_GRAIN = "id"
ADDRESSES = ("ipv4", "ipv6")
"""Grains that list a minion's addresses."""
LISTS = ("roles", "tags", "groups", "apps", "services", "features", "profiles", "classes")
"""Grains that are lists by habit."""
_ID_LETTERS: Mapping[str, IdKind] = {"E": "pcre", "L": "list"}
_ID_MATCHERS: Mapping[str, IdKind] = {"glob": "glob", "pcre": "pcre", "list": "list"}
_GRAIN_MODES: Mapping[str, str] = {"grain": "glob", "grain_pcre": "pcre"}


@dataclass(frozen=True, slots=True)
class IdNeed:
    """A pattern for the minion's id."""

    kind: IdKind
    """How it is read."""
    pattern: str

    @property
    def exact(self) -> tuple[str, ...]:
        """The ids that it names in full."""
        if self.kind == "list":
            return tuple(name for name in self.pattern.split(",") if name)
        is_plain = self.kind == "glob" and not any(sign in self.pattern for sign in "*?[")
        return (self.pattern,) if is_plain and self.pattern else ()

    @property
    def takes_any(self) -> bool:
        """Whether every id will do."""
        return self.pattern in (("*", "**") if self.kind == "glob" else (".*", "^.*$", ".+"))

    def matches(self, minion: str) -> bool:
        """Say whether an id is of this form."""
        try:
            return match_id(self.kind, self.pattern, minion)
        except MatcherError:
            return False

    def examples(self) -> Iterator[str]:
        """Yield ids of this form."""
        if self.kind == "glob":
            yield from glob_examples(self.pattern)
        elif self.kind == "list":
            yield from self.exact
        else:
            example = pcre_example(self.pattern)
            if example is not None:
                yield example


@dataclass(frozen=True, slots=True)
class GrainNeed:
    """A grain that is to have a value."""

    path: tuple[str, ...]
    """The keys that lead to it."""
    value: str | int
    """A value that will do."""


@dataclass(frozen=True, slots=True)
class Need:
    """One way to make a target true; the words that are to be false are not in it."""

    ids: tuple[IdNeed, ...] = ()
    """What the id is to be like."""
    grains: tuple[GrainNeed, ...] = ()
    """What grains it is to have."""

    @property
    def asks_id(self) -> bool:
        """Whether it asks for ids of some form."""
        return any(not one.takes_any for one in self.ids)


def list_requirements(expression: Any, matcher: Any, nodegroups: Mapping[Any, Any]) -> list[Need]:
    """Return the ways to make a target true, those of fewer words first; none where unknown."""
    if not isinstance(expression, str):
        return []
    if matcher in _ID_MATCHERS:
        return [Need(ids=(IdNeed(_ID_MATCHERS[matcher], expression),))]
    if matcher in _GRAIN_MODES or matcher == "ipcidr":
        is_grain = matcher in _GRAIN_MODES
        need = (
            _read_grain(expression, ":", _GRAIN_MODES[matcher])
            if is_grain
            else _read_address(expression)
        )
        return [need] if need else []
    program = _read_program(expression, matcher, nodegroups)
    if program is None or program.logic is None:
        return []
    return list(_ways(program))


def _read_program(expression: str, matcher: Any, nodegroups: Mapping[Any, Any]) -> Program | None:
    try:
        if matcher == "nodegroup":
            return compile_compound(expand_nodegroup(expression, nodegroups), nodegroups)
        return compile_compound(expression, nodegroups) if matcher == "compound" else None
    except MatcherError:
        return None


def _ways(program: Program) -> Iterator[Need]:
    """Yield what each set of true words asks for that makes the whole true."""
    terms = program.terms
    assert program.logic is not None  # noqa: S101 (the caller has looked)
    found = 0
    minimal: list[frozenset[int]] = []
    for chosen in _choices(len(terms)):
        if any(known <= chosen for known in minimal):
            continue
        if not evaluate_logic(program.logic, [at in chosen for at in range(len(terms))]):
            continue
        minimal.append(chosen)
        need = _join([terms[at] for at in sorted(chosen)])
        if need is not None:
            found += 1
            yield need
        if found >= MAX_WAYS:
            return


def _choices(count: int) -> Iterator[frozenset[int]]:
    """Yield sets of words to be true, small ones first."""
    sizes = range(count + 1) if count <= MAX_WORDS else (0, 1, 2, count)
    for size in sizes:
        for chosen in combinations(range(count), size):
            yield frozenset(chosen)


def _join(terms: list[Term]) -> Need | None:
    ids: list[IdNeed] = []
    grains: list[GrainNeed] = []
    for term in terms:
        need = _read_term(term)
        if need is None:
            return None
        ids += need.ids
        grains += need.grains
    return Need(tuple(ids), tuple(grains))


def _read_term(term: Term) -> Need | None:
    """Return what one word asks for; None where no guess can answer it."""
    word = term.word.text
    letter, _, pattern = word.partition("@") if "@" in word[:3] else ("", "", word)
    if not letter:
        return Need(ids=(IdNeed("glob", pattern),))
    if letter in _ID_LETTERS:
        return Need(ids=(IdNeed(_ID_LETTERS[letter], pattern),))
    if letter == "S":
        return _read_address(pattern)
    if letter[0] not in "GP" or not isinstance(term.ask, partial):
        return None
    delimiter = str(term.ask.keywords.get("delimiter", ":"))
    return _read_grain(pattern, delimiter, "glob" if letter[0] == "G" else "pcre")


def _read_grain(expression: str, delimiter: str, mode: str) -> Need | None:
    """Return what ``os:Debian`` asks for: the last word is the value, or a pattern for it."""
    *path, pattern = expression.split(delimiter)
    if not path:
        return None
    if path == [ID_GRAIN]:
        return Need(ids=(IdNeed("glob" if mode == "glob" else "pcre", pattern),))
    value = pcre_example(pattern) if mode == "pcre" else _value_for(pattern)
    if value is None or "*" in path:
        return None
    return Need(grains=(GrainNeed(tuple(path), value),))


def _value_for(pattern: str) -> str | None:
    if pattern.strip("*") == "":
        return "example"
    return next(glob_examples(pattern), None)


def _read_address(expression: str) -> Need | None:
    """Return what an address asks for, or a network: its tenth address, or the last of a small one.

    A network with bits of a host in it matches nothing, so no guess can answer it.
    """
    try:
        network = ipaddress.ip_network(expression)
    except ValueError:
        return None
    at = 0 if network.num_addresses == 1 else min(USUAL_HOST, network.num_addresses - 2)
    address = network[max(at, 0)]
    return Need(grains=(GrainNeed((f"ipv{address.version}",), str(address)),))


def with_grains(grains: Mapping[str, Any], needs: tuple[GrainNeed, ...]) -> dict[str, Any] | None:
    """Return grains with those that a target asks for; None where others are in their place."""
    made = dict(grains)
    for need in needs:
        if not _put(made, need.path, need.value):
            return None
    return made


def _put(grains: dict[str, Any], path: tuple[str, ...], value: str | int) -> bool:
    key, *below = path
    known = grains.get(key)
    if below:
        inner = dict(known) if isinstance(known, dict) else {}
        if (known is not None and not isinstance(known, dict)) or not _put(
            inner, tuple(below), value
        ):
            return False
        grains[key] = inner
        return True
    if isinstance(known, list):
        grains[key] = known if value in known else [*known, value]
        return True
    if known is None:
        grains[key] = [value] if key in (*LISTS, *ADDRESSES) else value
        return True
    return str(known).lower() == str(value).lower()


def as_subject(minion: str, grains: Mapping[str, Any], nodegroups: Mapping[str, Any]) -> Subject:
    """Return a minion that is made up, as the matchers see it: without pillar."""
    return KnownSubject(minion, {**grains, ID_GRAIN: minion}, nodegroups)
