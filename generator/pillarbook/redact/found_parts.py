"""How much of a text is a secret where a part of one was found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.redact.secret_forms import FormKind, SecretForm

Meanings: TypeAlias = Sequence[tuple[int, SecretForm]]
"""The place numbers and forms that a part stands for."""
COST = 100
"""Bytes that could be compared in the time that it takes to begin."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret that was found."""

    place: int
    """Its place number."""
    start: int
    """Where it begins, in bytes."""
    end: int
    """Where what was found of it ends."""
    kind: FormKind
    """The form that it stands in."""


@dataclass(slots=True)
class FoundPart:
    """A part that was found in a text, and what it may be a part of."""

    forms: Meanings
    """Each form that it may be, once, with the first place."""
    cost: int
    """What it takes to compare all of them with what is around the part, in bytes."""
    before: int
    """The most bytes that one of them has before the part."""
    after: int
    """The most that one of them has behind it."""
    covered: tuple[int, int] | None = None
    """What was hidden without a comparison, and not yielded yet."""

    @classmethod
    def of(cls, meanings: Meanings) -> "FoundPart":
        """Return a part, given by all that it stands for."""
        once: dict[tuple[bytes, int, bool], tuple[int, SecretForm]] = {}
        for place, form in meanings:
            once.setdefault((form.whole, form.start, form.any_case), (place, form))
        forms = tuple(once.values())
        rest = [len(form.whole) - form.start - len(form.part) for _, form in forms]
        return cls(
            forms,
            sum(COST + len(form.whole) for _, form in forms),
            max((form.start for _, form in forms), default=0),
            max(rest, default=0),
        )

    def widen(self, data: bytes, start: int, end: int) -> Iterator[Hit]:
        """Yield how far each form is there."""
        for place, form in self.forms:
            yield Hit(place, *_widen(form, data, start, end), form.kind)

    def cover(self, data: bytes, start: int, end: int) -> Iterator[Hit]:
        """Take what may be there, whatever is; yield what was taken so before and lies apart."""
        if not self.forms:
            return
        start, end = _to_signs(data, max(0, start - self.before), min(len(data), end + self.after))
        if self.covered is not None and start <= self.covered[1]:
            start, end = self.covered[0], max(end, self.covered[1])
        else:
            yield from self.take_covered()
        self.covered = start, end

    def take_covered(self) -> Iterator[Hit]:
        """Yield what was taken without a comparison."""
        if self.covered is not None:
            place, form = self.forms[0]
            yield Hit(place, *self.covered, form.kind)


def _widen(form: SecretForm, data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return from where to where some data is as in a form of which a part was found there."""
    ahead = data[max(0, start - form.start) : start]
    before = form.whole[form.start - len(ahead) : form.start]
    rest = form.start + end - start
    behind = data[end : end + len(form.whole) - rest]
    after = form.whole[rest : rest + len(behind)]
    if form.any_case:
        before, after, ahead, behind = (one.lower() for one in (before, after, ahead, behind))
    start -= _common(before[::-1], ahead[::-1])
    end += _common(after, behind)
    return _to_signs(data, start, end)


def _to_signs(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return a span without half a sign at its ends."""
    while start > 0 and _is_within_sign(data[start]):
        start -= 1
    while end < len(data) and _is_within_sign(data[end]):
        end += 1
    return start, end


def _common(one: bytes, other: bytes) -> int:
    """Return how many bytes of two are the same from the start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _is_within_sign(byte: int) -> bool:
    """Say whether UTF-8 has a byte inside of a sign only."""
    return byte & 0xC0 == 0x80
