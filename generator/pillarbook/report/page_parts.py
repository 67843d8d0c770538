"""Parts of a minion's page that other minions may have as well: the rows of a section.

In a large fleet such a part has a page of its own, and one row in its place leads there. So a
fleet's pages hold what its minions have in common once (docs/decisions/0039). Whether a part is
shared is known when all minions are written; until then a mark is in its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TypeGuard

from pillarbook.model.phrases import count
from pillarbook.report.slug import slug

MARK = "\0"
"""Where a part is in a page, or what it needs in its row; no page has such a character."""
MIN_LENGTH = 500
"""Characters of a part; a shorter one is hardly longer than the row in its place."""
MIN_MINIONS = 5
"""Minions that must have a part: a page costs as much as some rows."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a minion's page."""

    title: str
    """What it is about, plain text."""
    html: str
    """Its rows."""
    row: str
    """The row in its place, with two marks: the address of its page, and who has it."""
    anchor: str = ""
    """What the ids of its rows begin with, if links lead to them."""
    columns: tuple[str, ...] = ()
    """The environments that its columns are about; none for a part of the pillar itself."""


@dataclass(frozen=True, slots=True)
class PartedPage:
    """The content of a minion's page, and its parts that may be shared."""

    text: str
    """The content, with a mark for each part."""
    parts: tuple[PagePart, ...] = ()
    """The parts, in order."""

    @property
    def html(self) -> str:
        """The content with its parts."""
        return fill(self.text, [part.html for part in self.parts])


def fill(text: str, parts: Sequence[str]) -> str:
    """Return a text with something for each of its marks."""
    between = text.split(MARK)
    return "".join(chain.from_iterable(zip_longest(between, parts, fillvalue="")))


def may_share(part: PagePart | None) -> TypeGuard[PagePart]:
    """Say whether a part is large enough to have a page."""
    return part is not None and len(part.html) >= MIN_LENGTH


@dataclass(frozen=True, slots=True)
class SharedPart:
    """A part that many minions have, and that has a page; without its rows."""

    title: str
    """What it is about, plain text."""
    columns: tuple[str, ...]
    """The environments that its columns are about."""
    anchor: str
    """What the ids of its rows begin with."""
    row: str
    """The row in its place."""
    digest: bytes
    address: str
    """Its page, as seen from the site's root; another one if the part is."""
    minions: Sequence[int]
    """The minions that have it, by their places in the inventory."""


def share_part(part: PagePart, digest: bytes, minions: Sequence[int]) -> SharedPart:
    """Return a part that minions share."""
    address = f"sections/{slug(part.title)}-{digest.hex()}.html"
    row = fill(part.row, [f"../{address}", f"the same for {count(len(minions), 'minion')}"])
    return SharedPart(part.title, part.columns, part.anchor, row, digest, address, minions)
