"""Finds how far a secret reaches in a text, from a part of it that the search has found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.redact.secret_forms import FormKind, SecretForm

Meanings: TypeAlias = Sequence[tuple[int, SecretForm]]
"""The secret ids and forms that have a part in common."""
COST = 100
"""The fixed cost of one comparison, as a number of compared bytes."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret that was found in some bytes."""

    secret_id: int
    """The id of the secret."""
    start: int
    """The first byte of the match."""
    end: int
    """The byte after the match; a match may be only a part of the secret."""
    kind: FormKind
    """The kind of form."""


@dataclass(slots=True)
class FoundPart:
    """A part that was found in a text, and the forms that contain it."""

    forms: Meanings
    """Each form that contains the part, once, with the first secret id."""
    cost: int
    """The cost to compare all forms with the bytes around the part, in compared bytes."""
    before: int
    """The most bytes that a form has before the part."""
    after: int
    """The most bytes that a form has after the part."""
    covered: tuple[int, int] | None = None
    """A span that is taken without a comparison, and that was not yielded yet."""

    @classmethod
    def of(cls, meanings: Meanings) -> "FoundPart":
        """Return the found part for all forms that contain it."""
        once: dict[tuple[bytes, int, bool], tuple[int, SecretForm]] = {}
        for secret_id, form in meanings:
            once.setdefault((form.whole, form.start, form.any_case), (secret_id, form))
        forms = tuple(once.values())
        rest = [len(form.whole) - form.start - len(form.part) for _, form in forms]
        return cls(
            forms,
            sum(COST + len(form.whole) for _, form in forms),
            max((form.start for _, form in forms), default=0),
            max(rest, default=0),
        )

    def widen(self, data: bytes, start: int, end: int) -> Iterator[Hit]:
        """Yield a hit for each form: the span around the part that equals the form."""
        for secret_id, form in self.forms:
            yield Hit(secret_id, *_widen(form, data, start, end), form.kind)

    def cover(self, data: bytes, start: int, end: int) -> Iterator[Hit]:
        """Take the longest span that a form may have here, without a comparison.

        Yields the span that was taken before, if the two do not overlap.
        """
        if not self.forms:
            return
        start, end = _to_signs(data, max(0, start - self.before), min(len(data), end + self.after))
        if self.covered is not None and start <= self.covered[1]:
            start, end = self.covered[0], max(end, self.covered[1])
        else:
            yield from self.take_covered()
        self.covered = start, end

    def take_covered(self) -> Iterator[Hit]:
        """Yield the span that was taken without a comparison, if there is one."""
        if self.covered is not None:
            secret_id, form = self.forms[0]
            yield Hit(secret_id, *self.covered, form.kind)


def _widen(form: SecretForm, data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the span of the data that equals the form, around the part from start to end."""
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
    """Return the span extended to whole UTF-8 characters."""
    while start > 0 and _is_within_sign(data[start]):
        start -= 1
    while end < len(data) and _is_within_sign(data[end]):
        end += 1
    return start, end


def _common(one: bytes, other: bytes) -> int:
    """Return the length of the longest common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _is_within_sign(byte: int) -> bool:
    """Say whether a byte is a continuation byte of UTF-8."""
    return byte & 0xC0 == 0x80
