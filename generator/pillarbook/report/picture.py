"""Small pictures as inline SVG: no script, no style of their own, and the same in words."""

from collections.abc import Iterable
from html import escape

from markupsafe import Markup

from pillarbook.report.value_html import make_visible

WIDTH = 1000
"""Units from the left end of a bar to the right; the page stretches it."""
HEIGHT = 10
SMALLEST = 6
"""Units that a part has at least, so that one failed minion of ten thousand is seen."""

COLOURS = {
    "ok": "#2e7d4f",
    "partial": "#a86400",
    "failed": "#b3261e",
    "empty": "#8a969c",
    "unchanged": "#8a969c",
    "changed": "#0b5a6e",
    "newly-failing": "#b3261e",
    "still-failing": "#d0665f",
    "fixed": "#2e7d4f",
    "new": "#2e7d4f",
    "gone": "#a86400",
}
"""Fill of the parts, where no style sheet says better."""


def draw_bar(counts: Iterable[tuple[str, int]], title: str) -> Markup:
    """Return a bar whose parts are as long as their counts.

    Args:
        counts: A word and a count for each part; the word names the part's class, too.
        title: What the bar is about, plain text.
    """
    parts = [(word, count) for word, count in counts if count]
    said = ", ".join(f"{count:,} {word}" for word, count in parts) or "none"
    name = escape(make_visible(f"{title}: {said}"))
    rects = "".join(
        f'<rect class="{css}" x="{start}" y="0" width="{width}" height="{HEIGHT}" '
        f'fill="{COLOURS.get(css, "#8a969c")}"/>'
        for css, start, width in _lay_out(parts)
    )
    html = (
        f'<svg class="bar" role="img" aria-label="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'preserveAspectRatio="none" width="100%" height="{HEIGHT}" focusable="false">'
        f"<title>{name}</title>{rects}</svg>"
    )
    return Markup(html)  # noqa: S704 (the name is escaped, the rest is made here)


def _lay_out(parts: list[tuple[str, int]]) -> Iterable[tuple[str, int, int]]:
    """Yield class, start and width of each part; small parts grow at the others' expense."""
    total = sum(count for _, count in parts)
    widths = [max(SMALLEST, count * WIDTH // total) for _, count in parts]
    if widths:
        widths[widths.index(max(widths))] += WIDTH - sum(widths)
    start = 0
    for (word, _), width in zip(parts, widths, strict=True):
        yield word.replace(" ", "-"), start, width
        start += width
