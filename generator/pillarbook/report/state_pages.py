"""The pages about the states of the fleet, and about one state SLS."""

from collections.abc import Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.report.addresses import Page, sls_address
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.key_fleet import KeyEntry
from pillarbook.report.key_patterns import row_address
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.state_fleet import Sls, SlsLine, StateFleet, count_reads, missing_reads

MAX_LISTED = 1000
"""Rows of a list that a page shows."""
MAX_MINIONS = 200
"""Minions that the page of a state SLS names."""


class StatePages:
    """Writes the pages about states, once every minion was written."""

    def __init__(
        self,
        states: StateFleet,
        keys: Sequence[KeyEntry],
        groups: GroupLinks,
        forge: ForgeLinks,
        templates: jinja2.Environment,
    ) -> None:
        self._states = states
        self._fleet = groups.fleet
        self._forge = forge
        self._templates = templates
        self._groups = groups
        self._keys = keys
        self.sls: tuple[Sls, ...] = tuple(sorted(states.sls))
        """The state SLS files, each of which has a page."""

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of state SLS files."""
        return tuple(
            Page(
                sls_address(saltenv, name, ""),
                f"State SLS {name} ({saltenv})",
                "state-sls",
                number=number,
            )
            for number, (saltenv, name) in enumerate(self.sls)
        )

    def write_index(self) -> str:
        """Return the page about all states."""
        states, minions = self._states, len(self._fleet.minions)
        readers = states.readers
        unread = [one for one in self._keys if one.pattern.typed not in readers]
        missing = list(missing_reads(states))
        missing.sort(key=lambda pair: (-pair[1].bare, -pair[1].default))
        return self._templates.get_template("states.html").render(
            files=[self._describe_file(sls, states.sls[sls]) for sls in self.sls],
            minions=minions,
            unknown=self._group(states.unknown, "../"),
            broken=self._group(states.broken, "../"),
            unread=[(one, row_address(one.pattern)) for one in unread[:MAX_LISTED]],
            unread_count=len(unread),
            missing=missing[:MAX_LISTED],
            missing_count=len(missing),
        )

    def write_sls(self, number: int) -> str:
        """Return the page of a state SLS."""
        sls = self.sls[number]
        line = self._states.sls[sls]
        minions = self._fleet.name(line.minions)
        broken = set(self._states.broken).intersection(line.minions)
        recorded = sum(count for reads, count in line.reads.items() if reads.recorded)
        return self._templates.get_template("state_sls.html").render(
            sls=sls,
            file=line.file,
            there=self._forge.line_address(line.file, None),
            minions=len(line.minions),
            group=self._groups.name(minions, "../../"),
            named=[(one, self._fleet.minions[one].summary.slug) for one in minions[:MAX_MINIONS]],
            reads=count_reads(line),
            recorded=recorded,
            broken=self._group(sorted(broken), "../../") if broken else "",
            states=sorted(line.states.items(), key=lambda one: -one[1]),
        )

    def _group(self, ranks: Sequence[int], root: str) -> Markup:
        """Return what some minions are called, by their places in the inventory."""
        return self._groups.name(self._fleet.name(ranks), root)

    def _describe_file(self, sls: Sls, line: SlsLine) -> dict[str, Any]:
        """Return what the list says of a state SLS."""
        reads = count_reads(line)
        return {
            "sls": sls,
            "uri": sls_address(*sls, "").removeprefix("states/"),
            "minions": len(line.minions),
            "group": self._group(line.minions, "../"),
            "states": len(line.states),
            "reads": len(reads),
            "missing": sum(one.default + one.bare > 0 for one in reads),
        }
