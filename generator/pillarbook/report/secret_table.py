"""The table of all secrets, by who reads them and how they come by them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TypeAlias

from markupsafe import Markup

from pillarbook.redact.shown_access import GrainReads
from pillarbook.report.access_html import write_route
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupName
from pillarbook.report.key_html import show_path
from pillarbook.report.rows import write_place
from pillarbook.report.secret_access import Route, Secret, SecretWay
from pillarbook.report.secret_groups import Item, ItemGroup, SecretGroups
from pillarbook.report.value_html import TokenOf, make_visible
from pillarbook.roots.history import LineAge

Ages: TypeAlias = Mapping[tuple[str, int], LineAge]
"""When values last changed, by file and first line."""
MAX_BYTES = 800_000
"""Length of the rows of the page, in characters."""
MAX_KEYS = 3
"""Key paths that a row of the matrix names."""
MAX_WAYS = 8
"""Ways that a section names; those to most minions come first."""
MAX_SOURCES = 3
"""Places that a row names."""
MAX_GROUPS = 12
"""Groups of minions that a section links to."""
SHORT_ID = 8
"""Digits of a commit's id."""


class SecretTable:
    """Writes the sections of the table until the page is long enough.

    Args:
        fleet: All minions.
        groups: The secrets by who reads them.
        ages: When they last changed.
        token: Gives tokens.
    """

    def __init__(
        self, fleet: FleetSummary, groups: SecretGroups, ages: Ages, token: TokenOf
    ) -> None:
        self._fleet = fleet
        self._groups = groups
        self._ages = ages
        self._token = token
        self._paths: dict[int, list[Secret]] = {}
        for item in groups.items:
            for secret in item.secrets:
                self._paths.setdefault(secret.place, []).append(secret)
        self._anchors: dict[int, str] = {}
        self._length = 0
        self.left = 0
        """Secrets that found no place on the page."""

    def write(self) -> list[str]:
        """Return the sections."""
        return [
            section
            for number, group in enumerate(self._groups.groups, 1)
            for section in self._write_group(number, group)
        ]

    def anchor_of(self, group: ItemGroup) -> str:
        """Return the id of a group's first section, empty where the table has none."""
        return self._anchors.get(group.items[0], "")

    def write_name(self, name: GroupName, *, linked: bool = True) -> Markup:
        """Return the name of a group of minions as HTML."""
        link = self._link if linked else _show
        return Markup(name.write(lambda term: f"<code>{_show(term)}</code>", link))  # noqa: S704

    def link_all(self, minions: Iterable[str]) -> Markup:
        """Return links to the secrets of some minions."""
        return Markup(", ").join(Markup(self._link(one)) for one in minions)  # noqa: S704

    def write_keys(self, items: Sequence[Item]) -> tuple[Markup, int]:
        """Return the first few key paths of some items, and how many more there are."""
        shown = [show_path(item.path, item.positions) for item in items[:MAX_KEYS]]
        return Markup(", ".join(shown)), len(items) - len(shown)  # noqa: S704 (escaped there)

    def _write_group(self, number: int, group: ItemGroup) -> Iterator[str]:
        """Yield a section for each set of ways by which items come to the same minions."""
        items = [self._groups.items[one] for one in group.items]
        by_routes: dict[tuple[Route, ...], list[Item]] = {}
        for item in items:
            by_routes.setdefault(item.routes, []).append(item)
        for part, members in enumerate(by_routes.values()):
            if self._length > MAX_BYTES:
                self.left += sum(len(item.secrets) for item in members)
                continue
            anchor = f"readers-{number}" if not part else f"readers-{number}~{part + 1}"
            self._anchors.setdefault(group.items[0], anchor)
            rows = [self._write_header(anchor, group, members)]
            rows += map(self._write_item, members)
            html = f"<tbody>\n{''.join(rows)}</tbody>\n"
            self._length += len(html)
            yield html

    def _write_header(self, anchor: str, group: ItemGroup, items: Sequence[Item]) -> str:
        name = self.write_name(self._groups.names.name(group.together))
        shown = [number for number in group.readers if number < MAX_GROUPS]
        links = ", ".join(f'<a href="#group-{number + 1}">{number + 1}</a>' for number in shown)
        word = "column" if len(group.readers) == 1 else "columns"
        more = len(group.readers) - len(shown)
        if shown:
            also = f" and {more:,} more" if more else ""
            links = f" <small>{word} {links}{also}</small>"
        ways = "".join(f"<li>{way}</li>" for way in _write_ways(items))
        return (
            f'<tr id="{anchor}" class="section" data-counts><th colspan="4" scope="rowgroup">'
            f"{name}{links}<ul>{ways}</ul></th></tr>\n"
        )

    def _write_item(self, item: Item) -> str:
        reasons = dict.fromkeys(reason for one in item.secrets for reason in one.reasons)
        why = "<br>".join(map(_show, reasons))
        return (
            f'<tr><th scope="row">{show_path(item.path, item.positions)}</th><td>{why}</td>'
            f"<td>{self._write_value(item)}</td><td>{self._write_sources(item)}</td></tr>\n"
        )

    def _write_value(self, item: Item) -> str:
        if len(item.secrets) > 1:
            values = len({secret.place for secret in item.secrets})
            return f"{values:,} values <small>each minion has its own</small>"
        (secret,) = item.secrets
        token = f"<code>{_show(self._token(secret.place))}</code>"
        others = {one.path: one for one in self._paths[secret.place] if one.path != secret.path}
        if not others:
            return token
        first, *more = others.values()
        also = f" and {len(more):,} more" if more else ""
        path = show_path(first.path, first.positions)
        return f"{token} <small>the same value as {path}{also}</small>"

    def _write_sources(self, item: Item) -> str:
        places = list(
            dict.fromkeys(
                (source.file, source.line)
                for secret in item.secrets
                for source, _ in secret.sources
            )
        )
        shown = [self._write_place(*place) for place in places[:MAX_SOURCES]]
        if len(places) > len(shown):
            shown.append(f"<small>and {len(places) - len(shown):,} more places</small>")
        return "<br>".join(shown)

    def _write_place(self, file: str, line: int | None) -> str:
        age = None if line is None else self._ages.get((file, line))
        return write_place(file, line) + ("" if age is None else f" {write_age(age)}")

    def _link(self, minion: str) -> str:
        slug = self._fleet.minions[minion].summary.slug
        return f'<a href="minions/{slug}.html#secrets">{_show(minion)}</a>'


def write_age(age: LineAge) -> str:
    """Return when a value last changed."""
    if age.status == "untracked":
        return "<small>not in git</small>"
    if age.status == "changed" or age.commit is None:
        return "<small>changed since the last commit</small>"
    commit = f"<code>{_show(age.commit[:SHORT_ID])}</code>"
    if age.at_least:
        return f"<small>unchanged since {_show(str(age.date))} at least, {commit}</small>"
    return f"<small>changed {_show(str(age.date))}, {commit}</small>"


def _write_ways(items: Iterable[Item]) -> Iterator[str]:
    """Yield the ways by which some items come, those to most minions first."""
    ways: dict[Route, list[SecretWay]] = {}
    for item in items:
        for secret in item.secrets:
            for way in secret.ways:
                ways.setdefault(way.route, []).append(way)
    ordered = sorted(ways.items(), key=lambda pair: -max(way.minions for way in pair[1]))
    for route, found in ordered[:MAX_WAYS]:
        names = dict.fromkeys(name for way in found for name in way.targets)
        yield write_route(route, list(names)[:MAX_SOURCES], _join_reads(found))
    if len(ordered) > MAX_WAYS:
        yield f"and {len(ordered) - MAX_WAYS:,} more ways"


def _join_reads(ways: Iterable[SecretWay]) -> list[GrainReads]:
    grains: dict[str, set[str]] = {}
    for way in ways:
        for reads in way.reads:
            grains.setdefault(reads.file, set()).update(reads.grains)
    return [GrainReads(file, tuple(sorted(names))) for file, names in grains.items()]


def _show(text: str) -> str:
    return escape(make_visible(text))
