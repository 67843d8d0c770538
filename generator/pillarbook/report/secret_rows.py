"""What one minion can read: a row for each secret, with the ways by which it came."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.redact.shown_access import AccessPath
from pillarbook.report.access_html import write_ways
from pillarbook.report.key_html import show_path
from pillarbook.report.rows import Row, write_origin
from pillarbook.report.value_html import TokenOf, make_visible

MAX_KEPT = 50_000
"""Rows that are kept."""
ReadSecret: TypeAlias = tuple[Row, tuple[AccessPath, ...]]
"""The row of a secret in the pillar's table, and how it came."""


class SecretRows:
    """Writes the secrets of minions; a row that minions share is written once.

    Args:
        token: Gives tokens of secrets.
    """

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        # By the ids of the row and of the ways, the two things it is written from; the token
        # follows from the row.
        self._kept: dict[tuple[int, int], tuple[Row, tuple[AccessPath, ...], str]] = {}

    def write(self, secrets: Iterable[ReadSecret]) -> str:
        """Return the rows of a minion's secrets."""
        if len(self._kept) > MAX_KEPT:
            self._kept.clear()
        return "".join(self._row(row, ways) for row, ways in secrets)

    def _row(self, row: Row, ways: tuple[AccessPath, ...]) -> str:
        key = (id(row), id(ways))
        kept = self._kept.get(key)
        if kept is None:  # what it is made of is kept too, so that the ids stay their own
            kept = self._kept[key] = (row, ways, _write_secret(row, ways, self._token))
        return kept[2]


def _write_secret(row: Row, ways: tuple[AccessPath, ...], token: TokenOf) -> str:
    leaf = row.leaf
    value = leaf.value
    assert isinstance(value, Redacted)  # noqa: S101 (the rows of secrets)
    path = show_path(leaf.path, row.positions)
    place = write_origin(leaf.origins[-1]) if leaf.origins else ""
    return (
        f'<tr><th scope="row"><a href="#{row.anchor}">{path}</a></th>'
        f"<td>{escape(make_visible(value.reason))}<br><code>{escape(token(value.place))}</code></td>"
        f"<td>{place}</td>"
        f"<td>{write_ways(ways)}</td></tr>\n"
    )
