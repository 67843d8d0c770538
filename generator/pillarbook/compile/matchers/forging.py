"""Whether a minion could make a target match by setting its own grains.

Grains are set on the minion. The master checks only the id, and uses it for the grain ``id``. So a
minion can meet a target for other grains if the rest of the target allows it: ``db* and
G@os:Debian`` is open to minions whose id matches ``db*``. Words about the pillar cannot be changed
by the minion, so they count as fixed.

Source: Salt's documentation of targeting by grains (a warning about secrets); ``salt/master.py``
(``AESFuncs._pillar``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, TypeAlias

from pillarbook.compile.matchers.compound_logic import evaluate_logic
from pillarbook.compile.matchers.compound_program import Program, compile_compound, parse_word
from pillarbook.compile.matchers.declared_subject import KnownSubject
from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.ipcidr_match import find_version
from pillarbook.compile.matchers.subject import IdKind, MatcherError

# Each word is tried as true and as false, so 12 words are 4,096 cases for each target.
MAX_WORDS = 12
"""The most different words whose logic is evaluated; a longer target counts as open to all."""
MAX_NAMED = 4
"""The most words of a condition that is shown."""
EVERY_ID = frozenset(("*", "E@.*", "E@.*$", "E@^.*", "E@^.*$"))
"""Words that match every id."""
_GLOB_SIGNS = re.compile(r"[*?\[]")
UNTOLD = "the rest of the target"
Truth: TypeAlias = tuple[bool, ...]
"""The answers to some words."""


@dataclass(frozen=True, slots=True)
class Forgery:
    """How minions could make a target match by setting grains."""

    grains: tuple[str, ...]
    """The grains; ``*`` for any grain."""
    only: str
    """The minions that could, as words of the target; empty for all minions."""


def find_forgery(target: str, matcher: str, nodegroups: Mapping[Any, Any]) -> Forgery | None:
    """Return how minions could make a target match by setting grains; None if they could not."""
    if matcher in _GRAIN_MATCHERS:
        grain = _GRAIN_MATCHERS[matcher](target)
        return None if grain is None else Forgery((grain,), "")
    if matcher == "nodegroup":
        target = f"N@{target}"
    elif matcher != "compound":
        return None
    try:
        program = compile_compound(target, nodegroups)
    except MatcherError:
        return None
    if program.fault or program.logic is None:
        return None  # Salt stops, or the target matches nothing
    return _Logic(program).find()


def _name_grain(pattern: str, delimiter: str = ":") -> str | None:
    """Return the grain that a word asks for; None for the id, and for a word that never matches."""
    name, found, _ = pattern.partition(delimiter)
    return name if found and name != "id" else None


def _name_address(pattern: str) -> str | None:
    version = find_version(pattern)
    return None if version is None else f"ipv{version}"


_GRAIN_MATCHERS: Mapping[str, Callable[[str], str | None]] = {
    "grain": _name_grain,
    "grain_pcre": _name_grain,
    "ipcidr": _name_address,
}


def _grain_of(word: str) -> str | None:
    """Return the grain that a word of a compound target asks for."""
    engine, delimiter, pattern = parse_word(word)
    if engine in ("G", "P"):
        return _name_grain(pattern, delimiter or ":")
    return _name_address(pattern) if engine == "S" else None


def _is_dead(word: str) -> bool:
    """Say whether a word never matches any minion."""
    engine, delimiter, pattern = parse_word(word)
    if engine in ("G", "P"):
        return (delimiter or ":") not in pattern
    return engine == "T" or (engine == "S" and _name_address(pattern) is None)


class _Logic:
    """The logic of a compound target over its different words."""

    def __init__(self, program: Program) -> None:
        assert program.logic is not None  # noqa: S101 (asked by who makes it)
        self._logic = program.logic
        self._words = [term.word.text for term in program.terms]
        self._terms = {term.word.text: term for term in program.terms}
        self._grains = {word: name for word in self._terms if (name := _grain_of(word)) is not None}
        self._fixed = [
            word
            for word in self._terms
            if word not in self._grains and word not in EVERY_ID and not _is_dead(word)
        ]

    def find(self) -> Forgery | None:
        """Return how the target can match by changing answers about grains only."""
        if not self._grains:
            return None
        if len(self._grains) + len(self._fixed) > MAX_WORDS:
            return Forgery(tuple(dict.fromkeys(self._grains.values())), "")
        open_to: list[Truth] = []
        spared: list[Truth] = []
        decisive: set[str] = set()
        for fixed in product((False, True), repeat=len(self._fixed)):
            verdicts = dict(self._try_grains(fixed))
            if all(verdicts.values()) or not self._may_be(fixed):
                spared.append(fixed)
            elif any(verdicts.values()):
                open_to.append(fixed)
                decisive |= self._find_decisive(verdicts)
        if not open_to:
            return None
        grains = (name for word, name in self._grains.items() if word in decisive)
        return Forgery(tuple(dict.fromkeys(grains)), _word(self._fixed, open_to, spared))

    def _try_grains(self, fixed: Truth) -> Iterator[tuple[Truth, bool]]:
        """Yield each set of answers about grains, with the result of the target."""
        answers = dict(zip(self._fixed, fixed, strict=True))
        for truth in product((False, True), repeat=len(self._grains)):
            answers.update(zip(self._grains, truth, strict=True))
            all_answers = [answers.get(word, word in EVERY_ID) for word in self._words]
            yield truth, evaluate_logic(self._logic, all_answers)

    def _may_be(self, fixed: Truth) -> bool:
        """Say whether a minion with these answers may exist, by the words that name ids."""
        answers = dict(zip(self._fixed, fixed, strict=True))
        names = next((ids for word in self._fixed if answers[word] and (ids := _ids(word))), None)
        if names is None:
            return True
        about_ids = {
            word: answer
            for word, answer in answers.items()
            if parse_word(word)[0] not in ("I", "J")
        }
        return any(
            all(
                self._terms[word].ask(_Named(name, {}, {})) is answer
                for word, answer in about_ids.items()
            )
            for name in names
        )

    def _find_decisive(self, verdicts: Mapping[Truth, bool]) -> set[str]:
        """Return the words about grains on which the result depends."""
        return {
            word
            for at, word in enumerate(self._grains)
            for truth, verdict in verdicts.items()
            if verdicts[(*truth[:at], not truth[at], *truth[at + 1 :])] != verdict
        }


class _Named(KnownSubject):
    """A minion of which only the id is known."""

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the id matches."""
        try:
            return match_id(kind, pattern, self.minion_id)
        except MatcherError:
            return False


def _ids(word: str) -> Sequence[str] | None:
    """Return the ids that a word names exactly; None for a pattern."""
    engine, _, pattern = parse_word(word)
    if engine == "L":
        return pattern.split(",")
    return [pattern] if engine in ("", "M") and not _GLOB_SIGNS.search(pattern) else None


def _word(words: Sequence[str], open_to: Sequence[Truth], spared: Sequence[Truth]) -> str:
    """Return, as words of the target, the minions that could make it match.

    The result may include minions that match anyway, if this needs fewer words.
    """
    if len(open_to) + len(spared) == 2 ** len(words):
        return ""
    wanted, allowed = set(open_to), {*open_to, *spared}
    for count in range(1, min(len(words), MAX_NAMED) + 1):
        for places in combinations(range(len(words)), count):
            for signs in product((True, False), repeat=count):
                literals = list(zip(places, signs, strict=True))
                for join, connective in ((all, " and "), (any, " or ")):
                    meant = set(_meant(literals, len(words), join))
                    if wanted <= meant <= allowed:
                        return connective.join(
                            f"`{words[at]}`" if sign else f"not `{words[at]}`"
                            for at, sign in literals
                        )
    return UNTOLD


def _meant(
    literals: Iterable[tuple[int, bool]], words: int, join: Callable[[Iterable[object]], bool]
) -> Iterator[Truth]:
    literals = list(literals)
    for truth in product((False, True), repeat=words):
        if join(truth[at] is sign for at, sign in literals):
            yield truth
