"""The pages that help a reader: the guide to reading the report, and one for each rule.

A rule has a page if it found something. What the site's own pages explain is left to them.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import jinja2
import markdown
from markupsafe import Markup

from pillarbook.diagnostics.guide_texts import GUIDE_PAGES, read_guide_page, rule_name
from pillarbook.diagnostics.rules import RULES
from pillarbook.report.addresses import Page, help_address

READING, WORDS = GUIDE_PAGES
_TITLES = {READING: "Reading the report", WORDS: "Words"}


class HelpPages:
    """Writes the pages.

    ``own`` says where the site's own pages explain rules and the report: addresses as seen from the
    site's root, by the names of the pages of the guide. ``complete`` says whether pages are added
    to those that the site has.
    """

    def __init__(
        self,
        templates: jinja2.Environment,
        own: Mapping[str, str] | None = None,
        *,
        complete: bool = True,
    ) -> None:
        self._templates = templates
        self._own = own or {}
        self._complete = complete
        names = (*GUIDE_PAGES, *map(rule_name, RULES))
        added = {name: help_address(name) for name in names} if complete else {}
        self._addresses: Mapping[str, str] = added | {**self._own}
        self.rules: Mapping[str, str] = {
            code: self._addresses[rule_name(code)]
            for code in RULES
            if rule_name(code) in self._addresses
        }
        """Where rules are explained, by code, as seen from the site's root."""
        self._reported: frozenset[str] = frozenset()

    @property
    def reading(self) -> str | None:
        """Where the guide to reading the report is; None for nowhere."""
        return self._addresses.get(READING)

    def note(self, reported: Collection[str]) -> None:
        """Take the codes of all rules that found something."""
        self._reported = frozenset(map(rule_name, reported)) & self._addresses.keys()

    def plan(self) -> tuple[Page, ...]:
        """Return the pages that the site lacks."""
        if not self._complete:
            return ()
        guide = (
            Page(help_address(name), title, "guide", number=number)
            for number, (name, title) in enumerate(_TITLES.items())
            if name not in self._own
        )
        rules = (
            Page(help_address(name), name.removeprefix("rules/"), "rule")
            for name in sorted(self._reported - self._own.keys())
        )
        return *guide, *rules

    def write_rule(self, code: str) -> str:
        """Return the page of a rule."""
        return self._write("rule.html", rule_name(code))

    def write_guide(self, number: int) -> str:
        """Return a page about the report as a whole."""
        return self._write("guide.html", GUIDE_PAGES[number])

    def _write(self, template: str, name: str) -> str:
        """Return a page; it links to pages of rules that found something, and of the guide."""
        title, _, text = read_guide_page(name, self._link).partition("\n")
        html, headings = _convert(text)
        return self._templates.get_template(template).render(
            title=title.removeprefix("# "), text=html, headings=headings
        )

    def _link(self, name: str) -> str | None:
        known = name in self._reported or name in GUIDE_PAGES or name in self._own
        return f"../{self._addresses[name]}" if known and name in self._addresses else None


# A server writes the same pages at each build.
@lru_cache(maxsize=100)
def _convert(text: str) -> tuple[Markup, Any]:
    """Return a text of this package as HTML, and its headings."""
    converter = markdown.Markdown(extensions=["fenced_code", "tables", "toc"])
    html = converter.convert(text)
    return Markup(html), converter.toc_tokens  # type: ignore[attr-defined]  # noqa: S704 (of "toc"; our text)
