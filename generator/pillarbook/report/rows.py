"""The rows of a pillar: one a value, under a section row for each top-level key.

Minions share most of their values, and the objects with them, so rows are kept by the identity of
their leaf and sections by the identities of theirs. What is kept holds on to the leaves, because
an identity is only worth something while its object lives.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from urllib.parse import quote

from pillarbook.model import KeyPath
from pillarbook.redact.model import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.report.values import Token, make_visible, show_key, show_value

MOST_KEPT = 100_000
"""Rows that are kept, alone and again in sections; some 30 MB of each."""


@dataclass(frozen=True, slots=True)
class Section:
    """The rows under one top-level key."""

    html: str
    """A ``tbody``."""
    secrets: tuple[int, ...]
    """The places of the secrets among its values."""
    overridden: int
    """How many of its values were given in more than one place."""
    leaves: tuple[RedactedLeaf, ...]
    """The values themselves."""


class Rows:
    """Writes the rows of pillars and keeps those that came up."""

    def __init__(self, token: Token, most_kept: int = MOST_KEPT) -> None:
        self._token = token
        self._most_kept = most_kept
        self._rows: dict[int, tuple[RedactedLeaf, str]] = {}
        self._sections: dict[tuple[int, ...], Section] = {}
        self._in_sections = 0

    def sections(self, leaves: Iterable[RedactedLeaf]) -> list[Section]:
        """Return the sections of a pillar, in its order."""
        found = []
        for _, group in groupby(leaves, _top_key):
            members = tuple(group)
            identity = tuple(map(id, members))
            section = self._sections.get(identity)
            if section is None:
                section = self._sections[identity] = self._write_section(members)
                self._limit(len(members))
            found.append(section)
        return found

    def _write_section(self, leaves: tuple[RedactedLeaf, ...]) -> Section:
        rows = [self._row(leaf) for leaf in leaves]
        if len(leaves[0].path) > 1:
            rows.insert(0, _write_header(leaves[0].path[0], len(leaves)))
        secrets = tuple(leaf.value.place for leaf in leaves if isinstance(leaf.value, Redacted))
        overridden = sum(len(leaf.origins) > 1 for leaf in leaves)
        return Section(f"<tbody>\n{''.join(rows)}</tbody>\n", secrets, overridden, leaves)

    def _row(self, leaf: RedactedLeaf) -> str:
        kept = self._rows.get(id(leaf))
        if kept is None:
            kept = self._rows[id(leaf)] = (leaf, write_row(leaf, self._token))
        return kept[1]

    def _limit(self, written: int) -> None:
        """Start afresh where too much is kept; cheaper than to know what will not come again."""
        self._in_sections += written
        if self._in_sections > self._most_kept:
            self._sections.clear()
            self._in_sections = 0
        if len(self._rows) > self._most_kept:
            self._rows.clear()


def write_row(leaf: RedactedLeaf, token: Token) -> str:
    """Return one value as a table row: path, value, and where it came from."""
    anchor = row_id(leaf.path)
    *above, last = map(show_key, leaf.path)
    dim = f"<span>{''.join(f'{key}.<wbr>' for key in above)}</span>" if above else ""
    overridden = "".join(_write_overridden(origin, token) for origin in leaf.origins[:-1])
    source = _write_place(leaf.origins[-1]) if leaf.origins else ""
    return (
        f'<tr id="{anchor}"><th scope="row"><a href="#{anchor}">{dim}<b>{last}</b></a></th>'
        f"<td>{show_value(leaf.value, token)}</td><td>{source}"
        f"{f'<ol>{overridden}</ol>' if overridden else ''}</td></tr>\n"
    )


def row_id(path: KeyPath) -> str:
    """Return the id of a row: ``k-`` and the keys, percent-encoded, joined by dots."""
    return "k-" + ".".join(map(_encode_key, path))


def write_place(file: str, line: int | None) -> str:
    """Return ``file:line`` as HTML that may break behind a slash."""
    name = escape(make_visible(file)).replace("/", "/<wbr>")
    return f"<code>{name}:{line}</code>" if line is not None else f"<code>{name}</code>"


def _write_header(key: Hashable, count: int) -> str:
    anchor = row_id((key,))
    keys = "1 value" if count == 1 else f"{count} values"
    return (
        f'<tr id="{anchor}" class="section"><th colspan="3" scope="rowgroup">'
        f'<a href="#{anchor}">{show_key(key)}</a> <small>{keys}</small></th></tr>\n'
    )


def _write_place(origin: RedactedOrigin) -> str:
    place = write_place(origin.file, origin.line)
    if origin.sls is None:
        return place
    name = origin.sls if origin.saltenv is None else f"{origin.saltenv}: {origin.sls}"
    return f"{place} <small>{escape(make_visible(name))}</small>"


def _write_overridden(origin: RedactedOrigin, token: Token) -> str:
    value = show_value(origin.value, token)
    return f"<li><small>overrode</small> <del>{value}</del> {_write_place(origin)}</li>"


def _encode_key(key: Hashable) -> str:
    if isinstance(key, str) and key.isascii() and key.replace("_", "").isalnum():
        return key
    # A dot within a key would read as the one between two.
    return quote(str(key), safe="", errors="surrogatepass").replace(".", "%2E")


def _top_key(leaf: RedactedLeaf) -> tuple[type, Hashable]:
    # With the type, because 1 and True are equal and yet two keys.
    return type(leaf.path[0]), leaf.path[0]
