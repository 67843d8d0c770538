"""The table of all secrets, by who reads them and how they come by them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import jinja2
from markupsafe import Markup

from pillarbook.redact.shown_access import GrainReads
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.group_names import GroupName
from pillarbook.report.secret_access import Route, Secret, SecretWay
from pillarbook.report.secret_groups import Item, ItemGroup, SecretGroups
from pillarbook.report.templates import find_macro
from pillarbook.report.value_html import TokenOf, write_code, write_text
from pillarbook.roots.history import LineAge

Ages: TypeAlias = Mapping[tuple[str, int], LineAge]
"""When values last changed, by file and first line."""
MAX_BYTES = 800_000
"""Length of the rows of the page, in characters."""
MAX_WAYS = 8
"""Ways that a section names; those to most minions come first."""
MAX_SOURCES = 3
"""Places that a row names."""
MAX_GROUPS = 12
"""Groups of minions that a section links to."""


class SecretTable:
    """Writes the sections of the table until the page is long enough."""

    def __init__(
        self,
        links: GroupLinks,
        groups: SecretGroups,
        ages: Ages,
        token: TokenOf,
        templates: jinja2.Environment,
    ) -> None:
        self._section = find_macro(templates, "section", "secret_section")
        self._links = links
        self._groups = groups
        self._ages = ages
        self._token = token
        self._paths: dict[int, list[Secret]] = {}
        for item in groups.items:
            for secret in item.secrets:
                self._paths.setdefault(secret.secret_id, []).append(secret)
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
        """Return the id of a group's first section, empty if the table has none."""
        return self._anchors.get(group.items[0], "")

    def write_name(self, name: GroupName, *, linked: bool = True) -> Markup:
        """Return the name of a group of minions as HTML."""
        if linked:
            return self._links.write(name, "", self._link)
        return Markup(name.write(write_code, write_text))  # noqa: S704 (both escape)

    def link_all(self, minions: Iterable[str]) -> Markup:
        """Return links to the secrets of some minions."""
        return Markup(", ".join(map(self._link, minions)))  # noqa: S704 (write_link escapes)

    def _write_group(self, number: int, group: ItemGroup) -> Iterator[str]:
        """Yield a section for each set of targets that give items to the same minions."""
        items = [self._groups.items[one] for one in group.items]
        by_routes: dict[tuple[Route, ...], list[Item]] = {}
        for item in items:
            targets = tuple(dict.fromkeys(map(_without_sls, item.routes)))
            by_routes.setdefault(targets, []).append(item)
        for part, members in enumerate(by_routes.values()):
            if self._length > MAX_BYTES:
                self.left += sum(len(item.secrets) for item in members)
                continue
            anchor = f"readers-{number}" if not part else f"readers-{number}~{part + 1}"
            self._anchors.setdefault(group.items[0], anchor)
            shown = [reader for reader in group.readers if reader < MAX_GROUPS]
            html = self._section(
                anchor=anchor,
                name=self.write_name(self._groups.names.name(group.together)),
                columns=shown,
                more_columns=len(group.readers) - len(shown),
                ways=list(_list_ways(members)),
                max_ways=MAX_WAYS,
                max_names=MAX_SOURCES,
                items=map(self._describe_item, members),
                token=self._token,
            )
            self._length += len(html)
            yield html

    def _describe_item(self, item: Item) -> dict[str, Any]:
        """Return what the row of an item shows."""
        first = item.secrets[0]
        others = {one.path: one for one in self._paths[first.secret_id] if one.path != first.path}
        sources = (source for secret in item.secrets for source, _ in secret.sources)
        places = list(dict.fromkeys((source.file, source.line) for source in sources))
        return {
            "path": item.path,
            "positions": item.positions,
            "reasons": dict.fromkeys(why for one in item.secrets for why in one.reasons),
            "values": len({secret.secret_id for secret in item.secrets}),
            "is_own": len(item.secrets) > 1,
            "secret_id": first.secret_id,
            "others": list(others.values()),
            "sources": [
                (file, line, None if line is None else self._ages.get((file, line)))
                for file, line in places[:MAX_SOURCES]
            ],
            "more_sources": max(0, len(places) - MAX_SOURCES),
        }

    def _link(self, minion: str) -> str:
        return self._links.fleet.minions[minion].summary.link("", "secrets")


def _list_ways(
    items: Iterable[Item],
) -> Iterator[tuple[Route, list[str], list[GrainReads], list[tuple[str, ...]]]]:
    """Yield the ways by which some items come, those to most minions first.

    Each has what its target says in the files of several minions, the grains read on the way, and
    the SLS files: a target may give several, which give an item each.
    """
    ways: dict[Route, list[SecretWay]] = {}
    for item in items:
        for secret in item.secrets:
            for way in secret.ways:
                ways.setdefault(_without_sls(way.route), []).append(way)
    ordered = sorted(ways.items(), key=lambda pair: -max(way.minions for way in pair[1]))
    for route, found in ordered:
        names = dict.fromkeys(name for way in found for name in way.targets)
        chains = dict.fromkeys(way.route.sls for way in found)
        yield route, list(names), _join_reads(found), list(chains)


def _without_sls(route: Route) -> Route:
    """Return a route as that of all secrets that its target gives."""
    return replace(route, sls=())


def _join_reads(ways: Iterable[SecretWay]) -> list[GrainReads]:
    grains: dict[str, set[str]] = {}
    for way in ways:
        for reads in way.reads:
            grains.setdefault(reads.file, set()).update(reads.grains)
    return [GrainReads(file, tuple(sorted(names))) for file, names in grains.items()]
