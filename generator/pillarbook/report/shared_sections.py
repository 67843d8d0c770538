"""The pages of what many minions' pages have in common: sections of a pillar, and differences."""

from collections.abc import Callable, Sequence

import jinja2
from markupsafe import Markup

from pillarbook.report.addresses import Page
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.page_parts import SharedPart


class SharedSections:
    """Writes a page for each part that minions share."""

    def __init__(
        self,
        parts: Sequence[SharedPart],
        read: Callable[[SharedPart], str],
        minions: Sequence[str],
        groups: GroupLinks,
    ) -> None:
        self._parts = parts
        self._read = read
        self._minions = minions
        self._groups = groups

    def plan(self) -> tuple[Page, ...]:
        """Return the pages."""
        return tuple(
            Page(part.address, part.title, "section", number=number)
            for number, part in enumerate(self._parts)
        )

    def write(self, number: int, templates: jinja2.Environment) -> str:
        """Return the page of a part."""
        part = self._parts[number]
        who = self._groups.name([self._minions[rank] for rank in part.minions], "../")
        rows = Markup(self._read(part))  # noqa: S704 (they are those of minions' pages)
        return templates.get_template("section.html").render(part=part, rows=rows, who=who)
