"""Pictures as data: a bar of counts, the spread of values, and boxes with arrows.

Each part of a spread is a value, as long as the minions that have it are many. Gaps and the order
tell the parts apart, so it can be read without colour; the last part may be hollow, for all other
values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pillarbook.report.requisites import Requisite

BAR_WIDTH, BAR_HEIGHT = 1000, 10
"""Units of a bar; the page stretches it."""
SMALLEST = 6
"""Units that a part has at least, so that one failed minion of ten thousand is seen."""
GREY = "#8a969c"
COLOURS = {
    "ok": "#2e7d4f",
    "partial": "#a86400",
    "failed": "#b3261e",
    "changed": "#0b5a6e",
    "newly-failing": "#b3261e",
    "still-failing": "#d0665f",
    "fixed": "#2e7d4f",
    "new": "#2e7d4f",
    "removed": "#a86400",
}
"""Fill of the parts if no style sheet says better; others are grey."""

SMALL = 24
"""States up to which those without requisites are drawn as well."""
# A larger picture shows crossing lines and nothing else.
MAX_STATES = 60
MAX_LINES = 150
BOX_WIDTH, BOX_HEIGHT = 176, 30
"""Size of a box, in pixels."""
GAP_ACROSS, GAP_DOWN = 56, 10
LETTERS = 24
"""Characters of a name that there is room for."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar whose parts are as long as their counts."""

    label: str
    """What it shows, in words."""
    parts: tuple[tuple[str, str, int, int], ...]
    """Of each part its class, its colour, where it begins and how long it is."""
    width: int = BAR_WIDTH
    height: int = BAR_HEIGHT


def draw_bar(
    counts: Iterable[tuple[str, int]], title: str, call: Callable[[str], str] = str
) -> Bar:
    """Return a bar.

    Args:
        counts: How long each part is; its word names its class.
        title: What the bar is about.
        call: Returns the word as people read it.
    """
    parts = [(word, count) for word, count in counts if count]
    said = ", ".join(f"{count:,} {call(word)}" for word, count in parts) or "none"
    return Bar(f"{title}: {said}", tuple(_lay_out_parts(parts)))


def _lay_out_parts(parts: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the parts; small ones grow at the others' expense."""
    total = sum(count for _, count in parts)
    widths = [max(SMALLEST, count * BAR_WIDTH // total) for _, count in parts]
    if widths:
        widths[widths.index(max(widths))] += BAR_WIDTH - sum(widths)
    start = 0
    for (word, _), width in zip(parts, widths, strict=True):
        css = word.replace(" ", "-")
        yield css, COLOURS.get(css, GREY), start, width
        start += width


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a graph."""

    kind: str
    """What it is, in small letters: a state's function."""
    name: str
    """What it is called: a state's ID."""
    address: str | None
    """Where it leads."""
    x: int
    """Its left edge."""
    y: int
    """Its upper edge."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Boxes and arrows between them; empty if there is no arrow."""

    boxes: tuple[Box, ...] = ()
    lines: tuple[tuple[str, str, str], ...] = ()
    """The arrows: a class, and the SVG paths of the line and its head."""
    width: int = 0
    height: int = 0
    box_width: int = BOX_WIDTH
    box_height: int = BOX_HEIGHT


def draw_requisites(
    names: Sequence[tuple[str, str]], requisites: Sequence[Requisite]
) -> Graph | None:
    """Return the picture of a minion's states; None if it would be too large.

    ``names`` has the function and ID of each state, plain text.
    """
    rows = [(*name, f"#s-{number}") for number, name in enumerate(names, 1)]
    return draw_graph(rows, _find_pairs(requisites))


def draw_graph(
    names: Sequence[tuple[str, str, str | None]], pairs: Mapping[tuple[int, int], str]
) -> Graph | None:
    """Return the picture of boxes and arrows; None if it would be too large.

    ``names`` has the kind, name and address of each box, the first box first; ``pairs`` says which
    box comes before which, by their numbers, each with the arrow's class.
    """
    if not pairs:
        return Graph()
    joined = {number for pair in pairs for number in pair}
    drawn = list(range(len(names))) if len(names) <= SMALL else sorted(joined)
    if len(drawn) > MAX_STATES or len(pairs) > MAX_LINES:
        return None
    boxes = _lay_out(drawn, names, pairs)
    return Graph(
        tuple(boxes.values()),
        tuple(_draw_lines(pairs, boxes)),
        width=max(box.x for box in boxes.values()) + BOX_WIDTH + 2,
        height=max(box.y for box in boxes.values()) + BOX_HEIGHT + 2,
    )


def _find_pairs(requisites: Sequence[Requisite]) -> dict[tuple[int, int], str]:
    """Return which state comes before which, with the requisite that says so first."""
    pairs: dict[tuple[int, int], str] = {}
    for one in requisites:
        if one.kind == "use":
            continue
        for other in one.meant:
            pair = (one.owner, other) if one.kind == "prereq" else (other, one.owner)
            if other != one.owner:
                pairs.setdefault(pair, one.kind)
    return pairs


def _lay_out(
    drawn: Sequence[int],
    names: Sequence[tuple[str, str, str | None]],
    pairs: Iterable[tuple[int, int]],
) -> dict[int, Box]:
    """Return each box in its place: a column behind all that comes before it."""
    before: dict[int, list[int]] = {number: [] for number in drawn}
    for first, second in pairs:
        before[second].append(first)
    column: dict[int, int] = {}
    for number in drawn:  # what comes first is first
        known = [column[one] for one in before[number] if one in column]
        column[number] = max(known) + 1 if known else 0
    boxes: dict[int, Box] = {}
    for place in range(max(column.values()) + 1):
        members = [number for number in drawn if column[number] == place]
        members.sort(
            key=lambda number: _mean([boxes[one].y for one in before[number] if one in boxes])
        )
        for row, number in enumerate(members):
            x = place * (BOX_WIDTH + GAP_ACROSS) + 1
            y = row * (BOX_HEIGHT + GAP_DOWN) + 1
            boxes[number] = Box(*names[number], x, y)
    return boxes


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0


def _draw_lines(
    pairs: Mapping[tuple[int, int], str], boxes: Mapping[int, Box]
) -> Iterator[tuple[str, str, str]]:
    for (first, second), kind in pairs.items():
        one, other = boxes[first], boxes[second]
        x, y = one.x + BOX_WIDTH, one.y + BOX_HEIGHT // 2
        to_x, to_y = other.x, other.y + BOX_HEIGHT // 2
        bend = max(GAP_ACROSS // 2, abs(to_x - x) // 3)
        curve = f"M{x} {y}C{x + bend} {y} {to_x - bend} {to_y} {to_x} {to_y}"
        yield kind, curve, f"M{to_x - 6} {to_y - 4}l6 4l-6 4z"


def shorten(name: str) -> str:
    """Return a name that has room in a box; what is left out is in its middle."""
    if len(name) <= LETTERS:
        return name
    half = LETTERS // 2
    return f"{name[: half - 1]}…{name[-half:]}"


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
    return Spread(label, tuple(_lay_out_values(shown, is_cut=bool(rest))))


def _lay_out_values(counts: Sequence[int], *, is_cut: bool) -> list[tuple[int, int, bool]]:
    room = WIDTH - GAP * (len(counts) - 1)
    total = sum(counts)
    widths = [max(LEAST, count * room // total) for count in counts]
    widths[widths.index(max(widths))] += room - sum(widths)
    parts, start = [], 0
    for number, width in enumerate(widths):
        parts.append((start, width, is_cut and number == len(widths) - 1))
        start += width + GAP
    return parts
