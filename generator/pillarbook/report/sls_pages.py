"""The pages of the pillar's files: who gets each, what it reads, and the result of each line."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import jinja2
from markupsafe import Markup

from pillarbook.diagnostics import Diagnostic
from pillarbook.report.addresses import Page, source_address
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.minion_sets import numbers_in, set_of
from pillarbook.report.pictures import Graph, draw_graph
from pillarbook.report.sls_facts import FilePage, describe_files
from pillarbook.report.source import ReportSource
from pillarbook.report.source_fleet import GatheredSources
from pillarbook.report.source_lines import Coverage
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.source_use import Minions
from pillarbook.report.targets_page import TargetFleet

MAX_FINDINGS = 20
"""Diagnostics that the page of a file lists; the worst are first."""
LEAST = 3
"""Boxes from which on a picture says more than the list beside it."""
_Box = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class FleetSources:
    """What the fleet's compiles say of the files of the pillar."""

    gathered: GatheredSources
    """The use of each file."""
    targets: TargetFleet
    """The targets of the top files."""
    tops: Mapping[str, str]
    """The pages of top-level keys, as seen from ``keys``."""


class SlsPages:
    """Writes the pages of the pillar's files, once every minion was written."""

    def __init__(
        self,
        fleet: FleetSources,
        source: ReportSource,
        groups: GroupLinks,
        forge: ForgeLinks,
        templates: jinja2.Environment,
    ) -> None:
        self.files = describe_files(fleet.gathered, source.sources)
        """What there is to say of files, by their names."""
        self.by_name = {
            name: page.source for page in self.files.values() for name in page.use.names
        }
        """The files of SLS names, by environment and name."""
        self._pages = list(self.files.values())
        self._findings = _by_file(source.diagnostics)
        self._targets = fleet.targets
        self._tops = fleet.tops
        self._minions = tuple(groups.fleet.minions)
        self._groups = groups
        self._forge = forge
        self._templates = templates
        # By the set of minions and the way to the root; most lines of a file have one set.
        self._named: dict[tuple[Minions, str], Markup] = {}

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of the files."""
        return tuple(
            Page(
                source_address(one.source, ""),
                f"{one.source.name} ({one.source.saltenv})",
                "sls",
                number=number,
            )
            for number, one in enumerate(self._pages)
        )

    def list_names(self, page: Page) -> list[str]:
        """Return what the file of a page is called."""
        source = self._pages[page.number].source
        return [source.name, source.file]

    def write_index(self) -> str:
        """Return the page that lists all files."""
        failing = {one.source.file for one in self._pages if self._is_failing(one)}
        rendered = (one.coverage for one in self._pages if one.source.file not in failing)
        return self._templates.get_template("sls_index.html").render(
            pages=sorted(self._pages, key=lambda one: (one.source.saltenv, one.source.name)),
            coverage=sum(rendered, Coverage()),
            failing=failing,
            idle=sum(not one.minions for one in self._targets.lines),
            who=lambda minions: self._who(minions, "../"),
            address=lambda source, line=None: source_address(source, "../", line),
        )

    def write(self, number: int) -> str:
        """Return the page of a file."""
        page = self._pages[number]
        findings = self._findings.get(page.source.file, ())
        return self._template.render(
            page=page,
            picture=_draw_ways(page, self._address, self._sls_address),
            findings=[(one, self._name_affected(one)) for one in findings[:MAX_FINDINGS]],
            all_findings=len(findings),
            is_failing=self._is_failing(page),
            matched=self._matches_by_line.get(page.source.file, {}),
            who=lambda minions: self._who(minions, "../../"),
            address=self._address,
            tops=self._tops,
            forge=self._forge.line_address,
        )

    @cached_property
    def _template(self) -> jinja2.Template:
        return self._templates.get_template("sls.html")

    @cached_property
    def _matches_by_line(self) -> Mapping[str, Mapping[int, Minions]]:
        """The minions that the targets of a line match, by file and line."""
        found: dict[str, dict[int, Minions]] = {}
        for one in self._targets.lines:
            if one.target.line is not None:
                lines = found.setdefault(one.target.file, {})
                minions = lines.get(one.target.line, 0)
                lines[one.target.line] = minions | set_of(one.minions)
        return found

    def _name_affected(self, one: Diagnostic) -> Markup:
        known = self._groups.fleet.minions
        return self._groups.name([minion for minion in one.minions if minion in known], "../../")

    def _is_failing(self, page: FilePage) -> bool:
        """Say whether nobody has a value of a file because of an error in it."""
        return page.fails_by(self._findings.get(page.source.file, ()))

    def _sls_address(self, saltenv: str, name: str) -> str | None:
        """Return the address of an SLS, as seen from a page of a file; None without page."""
        source = self.by_name.get((saltenv, name))
        return None if source is None else source_address(source, "../../")

    def _address(self, file: str, line: int | None = None) -> str | None:
        """Return the address of a line of a file, as seen from a page of one; None without page."""
        page = self.files.get(file)
        return None if page is None else source_address(page.source, "../../", line)

    def _who(self, minions: Minions, root: str) -> Markup:
        """Return what some minions are called."""
        key = minions, root
        if key not in self._named:
            ids = [self._minions[rank] for rank in numbers_in(minions)]
            self._named[key] = self._groups.name(ids, root)
        return self._named[key]


def _by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """Return the diagnostics of pillar that name a line of a file, by these files."""
    found: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        if one.position is not None:
            found.setdefault(one.position.file, []).append(one)
    return found


def _draw_ways(
    page: FilePage,
    address: Callable[[str, int | None], str | None],
    sls_address: Callable[[str, str], str | None],
) -> Graph | None:
    """Return the picture of what leads to a file; None if it says nothing, or is too large."""
    ways = [
        (
            (f"{target[4]}, {target[0]}", target[3], address(target[1], target[2] or None)),
            *(("SLS", name, sls_address(target[0], name)) for name in chain[:-1]),
        )
        for target, chain, _ in page.ways
    ]
    ways += [(("imports it", file, address(file, None)),) for file in sorted(page.use.imported)]
    boxes = _number(ways)
    if len(boxes) + 1 < LEAST:
        return None
    here = len(boxes)
    pairs: dict[tuple[int, int], str] = {}
    for way in ways:
        numbers = [*(boxes[box] for box in way), here]
        pairs.update(dict.fromkeys(pairwise(numbers), "gives"))
    return draw_graph([*boxes, ("this file", page.source.name, None)], pairs)


def _number(ways: Iterable[tuple[_Box, ...]]) -> dict[_Box, int]:
    """Return the boxes of some ways with their numbers, what comes first before the rest."""
    ranks: dict[_Box, int] = {}
    for way in ways:
        for rank, box in enumerate(way):
            ranks[box] = max(rank, ranks.get(box, 0))
    ordered = sorted(ranks, key=lambda box: ranks[box])
    return {box: number for number, box in enumerate(ordered)}
