"""The page of all targets of the top files: what each gives, and to whom.

A minion's page has the targets that match it; the others are here, once for the whole fleet.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import jinja2

from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.addresses import ROWS, Page, source_address, split_list, targets_name
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.source_fleet import TargetPlace, place_of

if TYPE_CHECKING:
    from pillarbook.report.sls_pages import SlsPages

MAX_SLS = 10
"""SLS files that a row names."""


@dataclass(slots=True)
class TargetLine:
    """A target, and the minions that were asked whether it matches them."""

    target: RedactedTarget
    """The target, as one of the minions has it."""
    asked: int = 0
    """How many minions read its top file."""
    minions: list[int] = field(default_factory=list)
    """Those that it matches, by their places in the inventory."""


class TargetFleet:
    """Gathers the targets of a fleet; a ``Gatherer``."""

    def __init__(self) -> None:
        self._lines: dict[TargetPlace, TargetLine] = {}
        # Minions share their verdicts as objects, and these are kept so that an id stays its own.
        self._found: dict[int, tuple[RedactedTarget, TargetLine]] = {}

    def add(self, written: WrittenMinion) -> None:
        """Take the targets of a minion."""
        rank = written.rank
        for target in written.sides.declared.targets:
            known = self._found.get(id(target))
            if known is None:
                known = self._found[id(target)] = (target, self._line_of(target))
            line = known[1]
            line.asked += 1
            if target.matched:
                line.minions.append(rank)

    def give(self) -> tuple[TargetLine, ...]:
        """Return what was gathered, for another process."""
        return tuple(self._lines.values())

    def take(self, given: tuple[TargetLine, ...]) -> None:
        """Take what was gathered in another process."""
        for one in given:
            line = self._line_of(one.target)
            line.asked += one.asked
            line.minions += one.minions

    def _line_of(self, target: RedactedTarget) -> TargetLine:
        return self._lines.setdefault(place_of(target), TargetLine(target))

    @property
    def lines(self) -> list[TargetLine]:
        """The targets so far, in the order of the top files."""
        return sorted(self._lines.values(), key=lambda line: place_of(line.target))


class TargetPages:
    """Writes the list of targets, once every minion was written."""

    def __init__(
        self,
        targets: TargetFleet,
        groups: GroupLinks,
        files: "SlsPages",
        templates: jinja2.Environment,
    ) -> None:
        self._lines = list(_fold_by_line(targets.lines))
        self._fleet = groups.fleet
        self._groups = groups
        self._files = files.files
        # An SLS of an environment may lie in a root of another one. One that nobody gets is known
        # only by its own.
        own = (page.source for page in self._files.values() if page.source.is_sls)
        self._sls = {(one.saltenv, one.name): one for one in own} | files.by_name
        self._template = templates.get_template("targets.html")

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of the list after the first."""
        count = -(-len(self._lines) // ROWS)
        return tuple(
            Page(targets_name(part), f"Targets, page {part + 1}", "targets", number=part)
            for part in range(1, count)
        )

    def write(self, number: int) -> str:
        """Return a page of the list."""
        lines = self._lines[number * ROWS :][:ROWS]
        sections = [
            (file, saltenv, [self._describe(line) for line in group])
            for (saltenv, file), group in groupby(
                lines, lambda line: (line.target.saltenv, line.target.file)
            )
        ]
        return self._template.render(
            sections=sections,
            count=len(self._lines),
            unmatched=sum(not line.minions for line in self._lines),
            parts=split_list(len(self._lines), targets_name),
            number=number,
        )

    def _describe(self, line: TargetLine) -> dict[str, Any]:
        """Return what a row says of a target; an SLS or a line without a page has no address."""
        target = line.target
        named = [(name, self._sls.get((target.saltenv, name))) for name in target.sls]
        top = self._files.get(target.file)
        return {
            "target": target,
            "count": len(line.minions),
            "who": self._groups.name(self._fleet.name(line.minions), ""),
            "sls": [(name, one and source_address(one, "")) for name, one in named[:MAX_SLS]],
            "left": len(named) - MAX_SLS,
            "address": top and source_address(top.source, "", target.line),
        }


def _fold_by_line(lines: Iterable[TargetLine]) -> Iterator[TargetLine]:
    """Yield the targets; one whose SLS has the minion's id in its name is one of many SLS."""
    for _, group in groupby(lines, lambda line: place_of(line.target)[:-1]):
        some = list(group)
        if len(some) > MAX_SLS:
            sls = dict.fromkeys(name for line in some for name in line.target.sls)
            minions = sorted({minion for line in some for minion in line.minions})
            asked = sum(line.asked for line in some)
            yield TargetLine(replace(some[0].target, sls=tuple(sls)), asked, minions)
        else:
            yield from some
