"""The requisites of a minion's states as a picture: what comes first stands left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from pillarbook.report.requisites import Requisite
from pillarbook.report.value_html import make_visible

ALL = 24
"""States up to which those without requisites are drawn as well."""
# A larger picture shows crossing lines and nothing else.
MAX_STATES = 60
MAX_LINES = 150
WIDTH, HEIGHT = 176, 30
"""Size of a state, in pixels."""
GAP_ACROSS, GAP_DOWN = 56, 10
LETTERS = 24
"""Characters of a name that there is room for."""
TOO_LARGE = None


@dataclass(frozen=True, slots=True)
class StateBox:
    """A state in the picture."""

    number: int
    """Which chunk it is."""
    x: int
    """Its left edge."""
    y: int
    """Its upper edge."""


def find_lines(requisites: Sequence[Requisite]) -> dict[tuple[int, int], str]:
    """Return which state comes before which, with the requisite that says so first."""
    lines: dict[tuple[int, int], str] = {}
    for one in requisites:
        if one.kind == "use":
            continue
        for other in one.meant:
            pair = (one.owner, other) if one.kind == "prereq" else (other, one.owner)
            if other != one.owner:
                lines.setdefault(pair, one.kind)
    return lines


def draw_requisites(
    names: Sequence[tuple[str, str]], requisites: Sequence[Requisite]
) -> Markup | None:
    """Return the picture; empty where no state has a requisite, None where it would be too large.

    Args:
        names: For each state its function and its ID, plain text.
        requisites: Their requisites.
    """
    lines = find_lines(requisites)
    if not lines:
        return Markup()
    joined = {number for pair in lines for number in pair}
    drawn = list(range(len(names))) if len(names) <= ALL else sorted(joined)
    if len(drawn) > MAX_STATES or len(lines) > MAX_LINES:
        return TOO_LARGE
    boxes = _lay_out(drawn, lines)
    width = max(box.x for box in boxes.values()) + WIDTH + 2
    height = max(box.y for box in boxes.values()) + HEIGHT + 2
    parts = [*_draw_lines(lines, boxes), *_draw_boxes(names, boxes)]
    said = f"{len(drawn)} states and what has to come before what"
    html = (
        '<figure class="requisites" role="region" tabindex="0" aria-label="Picture of the'
        f' requisites"><svg viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="group" aria-label="{said}">{"".join(parts)}</svg></figure>\n'
    )
    return Markup(html)  # noqa: S704 (names are escaped, the rest is made here)


def _lay_out(drawn: Sequence[int], lines: dict[tuple[int, int], str]) -> dict[int, StateBox]:
    """Return a place for each state: a column behind all that comes before it."""
    before: dict[int, list[int]] = {number: [] for number in drawn}
    for first, second in lines:
        before[second].append(first)
    column: dict[int, int] = {}
    for number in drawn:  # they stand in the order in which they run
        known = [column[one] for one in before[number] if one in column]
        column[number] = max(known) + 1 if known else 0
    boxes: dict[int, StateBox] = {}
    for place in range(max(column.values()) + 1):
        members = [number for number in drawn if column[number] == place]
        members.sort(
            key=lambda number: _mean([boxes[one].y for one in before[number] if one in boxes])
        )
        for row, number in enumerate(members):
            x, y = place * (WIDTH + GAP_ACROSS) + 1, row * (HEIGHT + GAP_DOWN) + 1
            boxes[number] = StateBox(number, x, y)
    return boxes


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0


def _draw_lines(lines: dict[tuple[int, int], str], boxes: dict[int, StateBox]) -> Iterator[str]:
    for (first, second), kind in lines.items():
        one, other = boxes[first], boxes[second]
        x, y = one.x + WIDTH, one.y + HEIGHT // 2
        to_x, to_y = other.x, other.y + HEIGHT // 2
        bend = max(GAP_ACROSS // 2, abs(to_x - x) // 3)
        yield (
            f'<path class="{kind}" d="M{x} {y}C{x + bend} {y} {to_x - bend} {to_y} {to_x} {to_y}"'
            f' fill="none" stroke="currentColor"/>'
            f'<path class="head" d="M{to_x - 6} {to_y - 4}l6 4l-6 4z" fill="currentColor"/>'
        )


def _draw_boxes(names: Sequence[tuple[str, str]], boxes: dict[int, StateBox]) -> Iterator[str]:
    for number, box in boxes.items():
        function, own = map(make_visible, names[number])
        whole = escape(f"{function} {own}")
        middle = box.x + 8
        yield (
            f'<a href="#s-{number + 1}" aria-label="{whole}"><title>{whole}</title>'
            f'<rect x="{box.x}" y="{box.y}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
            f'<text x="{middle}" y="{box.y + 12}" font-size="9.5">{escape(_cut(function))}</text>'
            f'<text class="id" x="{middle}" y="{box.y + 24}" font-size="11">{escape(_cut(own))}'
            "</text></a>"
        )


def _cut(text: str) -> str:
    if len(text) <= LETTERS:
        return text
    half = LETTERS // 2
    return f"{text[: half - 1]}…{text[-half:]}"
