"""The spread of a key's values over the fleet, as a small picture.

Each part is a value, as long as the minions that have it are many. Gaps and the order tell the
parts apart, so it can be read without colour; the last part may be hollow, for all other values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 100
"""Units of the picture."""
MAX_PARTS = 8
"""Parts that are drawn; more would be too small to see."""
GAP = 2
LEAST = 3
"""Units of a part, at least."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The picture."""

    label: str
    """What it shows, in words."""
    parts: tuple[tuple[int, int, bool], ...]
    """Where each part begins, how long it is, and whether it stands for several values."""


def draw_spread(counts: Sequence[int]) -> Spread | None:
    """Return the picture; None if there is but one value.

    The largest count comes first.
    """
    if len(counts) < 2:
        return None
    shown = list(counts[:MAX_PARTS])
    rest = counts[MAX_PARTS - 1 :] if len(counts) > MAX_PARTS else ()
    if rest:
        shown[-1] = sum(rest)
    told = ", ".join(f"{count:,}" for count in counts[: MAX_PARTS - bool(rest)])
    label = f"minions for each value: {told}"
    if rest:
        label += f", and {len(rest):,} more values"
    return Spread(label, tuple(_lay_out(shown, is_cut=bool(rest))))


def _lay_out(counts: Sequence[int], *, is_cut: bool) -> list[tuple[int, int, bool]]:
    room = WIDTH - GAP * (len(counts) - 1)
    total = sum(counts)
    widths = [max(LEAST, count * room // total) for count in counts]
    widths[widths.index(max(widths))] += room - sum(widths)
    parts, start = [], 0
    for number, width in enumerate(widths):
        parts.append((start, width, is_cut and number == len(widths) - 1))
        start += width + GAP
    return parts
