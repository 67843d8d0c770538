"""Lists what a tree asks and only a live Salt can answer, most useful first.

A render stops at the first call without an answer. The calls behind it are read in the text of the
files, as ``init`` does, so that all answers can be declared at once.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import yaml

from pillarbook.bootstrap.missing_parts import UNDECLARED, read_call
from pillarbook.bootstrap.unreached_calls import UnreachedCalls
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.undeclared import CLOCK
from pillarbook.diagnostics import Diagnostic
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.declared_clock import EXAMPLE
from pillarbook.model import Position
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import COMPUTED_FUNCTION, Unknown, function_of
from pillarbook.redact.target_secrets import HIDDEN
from pillarbook.session.session import Session
from pillarbook.session.shared_minions import Share, share_minions

FUNCTION, TIME, EXT_PILLAR = "function", "clock", "ext_pillar"
"""The kinds of questions."""
_NOT_RUN = "unavailable-ext-pillar"
_KINDS = {UNDECLARED: FUNCTION, CLOCK: TIME, _NOT_RUN: EXT_PILLAR}
"""The kinds by the rules that report them."""
_EXT_PILLAR = re.compile(r"the external pillar '(.+?)' is not run")
_FILTER = re.compile(r".* uses the filter '")
"""Of which no answer can be declared."""


@dataclass(frozen=True, slots=True)
class AskingPlace:
    """A line that asks."""

    position: Position
    minions: tuple[str, ...]
    """The minions for which it asks, in inventory order."""
    reached: bool
    """Whether a render stops there; else it stops at an earlier call, and may never ask this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingAnswer:
    """A question without an answer, redacted."""

    kind: str
    """``function``, ``clock`` or ``ext_pillar``."""
    name: str | None
    """The function or the external pillar; None for the clock, and for a name that is computed."""
    places: tuple[AskingPlace, ...]
    """The lines that ask: those that are reached first, then those of most minions."""
    lines: tuple[str, ...]
    """The lines that declare an answer, below ``pillarbook:``; ``...`` stands for the answer."""
    help: str
    """What else would answer it; empty if nothing does."""
    values: int
    """The number of values of the fleet's pillars that are unknown without it."""

    @property
    def minions(self) -> tuple[str, ...]:
        """The minions whose compile lacks the answer; if none gets that far, those that may."""
        places = [one for one in self.places if one.reached] or self.places
        return tuple(dict.fromkeys(minion for one in places for minion in one.minions))

    @property
    def asked(self) -> int:
        """How often the fleet asks: once for each minion and each line that is reached."""
        return sum(len(one.minions) for one in self.places if one.reached)


class _Asked(NamedTuple):
    """What one process found, redacted."""

    unknown: Sequence[Diagnostic]
    """Calls whose answer is unknown."""
    unreached: Sequence[Diagnostic]
    """Calls that no render came to."""
    values: Counter[str]
    """How many values are unknown because of each function."""


def find_missing_answers(
    session: Session, jobs: int | None = 1, step: Callable[[], None] = lambda: None
) -> list[MissingAnswer]:
    """Compile all minions and return what they ask in vain.

    The answer that most minions lack comes first, then the one that makes more values unknown, then
    the one that is asked for more often. Questions that no render comes to are last.
    """
    shares = share_minions(session, session.fleet.minions, jobs, step, partial(_look, session))
    values = sum((one.values for one in shares), Counter[str]())
    found: dict[tuple[str, str | None], _Question] = {}
    for code in _KINDS:
        for one in session.shown.heard_of(code):
            _add(found, one, reached=True)
    for one in _merge(share.unknown for share in shares):
        _add(found, one, reached=True)
    for one in _merge(share.unreached for share in shares):
        _add(found, one, reached=False)
    order = {minion: place for place, minion in enumerate(session.fleet.minions)}
    answers = [question.finish(order, values) for question in found.values()]
    return sorted(answers, key=_usefulness)


def _merge(shares: Iterable[Iterable[Diagnostic]]) -> Iterator[Diagnostic]:
    """Yield each diagnostic of several processes once, with all its minions."""
    minions: dict[Diagnostic, dict[str, None]] = {}
    for one in chain.from_iterable(shares):
        minions.setdefault(replace(one, minions=()), {}).update(dict.fromkeys(one.minions))
    for one, who in minions.items():
        yield replace(one, minions=tuple(who))


def _usefulness(one: MissingAnswer) -> tuple[Any, ...]:
    """Return what sorts the most useful answer first, the same for any number of processes."""
    return not one.asked, -len(one.minions), -one.values, -one.asked, one.kind, one.name or ""


def _look(session: Session, share: Share) -> _Asked:
    """Compile a share of the minions, and note what they ask."""
    unreached = UnreachedCalls(session)
    values: Counter[str] = Counter()

    def see(compiled: CompiledPillar) -> None:
        unreached.take(compiled)
        if compiled.has_unknown and not isinstance(compiled, CompiledStates):
            values.update(_sources_of(compiled))

    session.look_at(share.minions, share.step, see, share.exchange_secrets)
    redact = session.shown.redactor.redact_diagnostic
    return _Asked(
        [redact(replace(one, minions=tuple(who))) for one, who in unreached.unknown.items()],
        [redact(one) for one in unreached.describe()],
        values,
    )


def _sources_of(compiled: CompiledPillar) -> Iterator[str]:
    """Yield the functions that each unknown value comes from."""
    for leaf in all_leaves(compiled.tree):
        if isinstance(leaf.value, Unknown):
            yield from set(map(function_of, leaf.value.sources))


@dataclass(slots=True)
class _Question:
    """A question while its places are gathered."""

    kind: str
    name: str | None
    declared: dict[str, set[str]] = field(default_factory=dict)
    """What would declare its calls, and the files that have them."""
    help: dict[str, None] = field(default_factory=dict)
    reached: dict[Position, dict[str, None]] = field(default_factory=dict)
    behind: dict[Position, dict[str, None]] = field(default_factory=dict)

    def finish(self, order: Mapping[str, int], values: Mapping[str, int]) -> MissingAnswer:
        places = [
            AskingPlace(
                position, tuple(sorted(minions, key=lambda one: order.get(one, 0))), is_reached
            )
            for is_reached, found in ((True, self.reached), (False, self.behind))
            for position, minions in found.items()
        ]
        asked = COMPUTED_FUNCTION if self.kind == FUNCTION else ""
        return MissingAnswer(
            kind=self.kind,
            name=self.name,
            places=tuple(sorted(places, key=_importance)),
            lines=tuple(self._declare()),
            help="; or ".join(sorted(self.help)),
            values=values.get(self.name or asked, 0),
        )

    def _declare(self) -> Iterable[str]:
        if self.kind == TIME:
            return [f"clock: {EXAMPLE}"]
        if self.name is None:
            return []
        if self.kind == EXT_PILLAR:
            return declare_ext_pillar(self.name)
        return declare_calls(self.name, self.declared)


def _importance(place: AskingPlace) -> tuple[Any, ...]:
    position = place.position
    return not place.reached, -len(place.minions), position.file, position.line or 0


def _add(found: dict[tuple[str, str | None], _Question], one: Diagnostic, *, reached: bool) -> None:
    """Add what a diagnostic says to the question that it is about, if it is about one."""
    if one.code not in _KINDS or _FILTER.match(one.message):
        return
    kind, call, position = _KINDS[one.code], read_call(one), one.position
    name = _find_ext_pillar(one) if kind == EXT_PILLAR else call and call[0]
    if position is None or (kind == EXT_PILLAR and name is None):
        return
    question = found.setdefault((kind, name), _Question(kind, name))
    if call is not None:
        # A render may stop at another line than the one that its call begins at.
        known = question.declared.setdefault(call[1].declared, set())
        if not reached and position.file in known:
            return
        known.add(position.file)
    remedy = call[1].remedy if call is not None else one.help if name is None else None
    if remedy and kind != TIME:
        question.help[remedy] = None
    places = question.reached if reached else question.behind
    places.setdefault(position, {}).update(dict.fromkeys(one.minions))


def _find_ext_pillar(one: Diagnostic) -> str | None:
    """Return the external pillar that is not run, if a file can answer it."""
    named = _EXT_PILLAR.match(one.message)
    return named[1] if named is not None and "ext_pillars: {" in (one.help or "") else None


_ONE_CALL = re.compile(r"[^:]+: \{\$calls: \[\{(.*), answer: \.\.\.\}\]\}", re.DOTALL)
"""A declaration of one call, as a message has it."""
ANSWER = "..."


def declare_calls(name: str, declared: Iterable[str]) -> list[str]:
    """Return the lines that answer a function.

    ``declared`` is what messages say declares each of its calls: ``NAME: {$calls: [...]}``; any
    other form answers all calls.
    """
    calls: dict[str, None] = {}
    answers_all = False
    for one in declared:
        call = _ONE_CALL.fullmatch(one)
        if call is None:
            answers_all = True
        else:
            calls[_without_secrets(call[1])] = None
    lines = ["functions:", f"  {as_yaml(name)}:"]
    if not calls:
        return [*lines, f"    '*': {ANSWER}"]
    lines.append("    $calls:")
    lines += [f"      - {{{call}, answer: {ANSWER}}}" for call in sorted(calls, key=_specific)]
    return [*lines, f"    $answer: {ANSWER}"] if answers_all else lines


def _specific(call: str) -> tuple[int, int, str]:
    """Return what sorts a call before those whose globs match it too: the first one that fits wins.

    A glob that matches a part only of what another one does has at least as much literal text.
    """
    literal = re.sub(r"['\"*]", "", call)
    return -len(literal), call.count("*"), call


def declare_ext_pillar(name: str) -> list[str]:
    """Return the lines that answer an external pillar from a file."""
    return ["ext_pillars:", f"  {as_yaml(name)}: {as_yaml(f'answers/{name}.yml')}"]


def _without_secrets(call: str) -> str:
    """Return a call in which a glob stands for each part that is redacted, so that it matches."""
    if HIDDEN not in call:
        return call
    try:
        parts = yaml.safe_load(f"{{{call}}}")
    except yaml.YAMLError:
        return call
    return as_yaml(_as_globs(parts)).removeprefix("{").removesuffix("}")


def _as_globs(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_globs(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_globs(item) for item in value]
    return value.replace(HIDDEN, "*") if isinstance(value, str) else value
