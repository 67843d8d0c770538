"""The pages that explain rules, for a site whose own pages do not."""

from collections.abc import Collection, Mapping

import jinja2
import markdown
from markupsafe import Markup

from pillarbook.diagnostics.rule_pages import read_rule_page
from pillarbook.diagnostics.rules import RULES
from pillarbook.report.addresses import Page, rule_address


class RulePages:
    """Writes a page for each rule that found something.

    ``own`` says where the site's own pages explain rules, by code.
    """

    def __init__(self, own: Mapping[str, str], templates: jinja2.Environment) -> None:
        self._own = own
        self._templates = templates
        self.addresses: Mapping[str, str] = {code: rule_address(code) for code in RULES} | {**own}
        """Where rules are explained, by code, as seen from the site's root."""
        self._reported: frozenset[str] = frozenset()

    def note(self, reported: Collection[str]) -> None:
        """Take the codes of all rules that found something."""
        self._reported = frozenset(reported) & RULES.keys()

    def plan(self) -> tuple[Page, ...]:
        """Return the pages that the site lacks."""
        lacking = sorted(self._reported - self._own.keys())
        return tuple(Page(rule_address(code), code, "rule") for code in lacking)

    def write(self, code: str) -> str:
        """Return the page of a rule; it links to the pages of other rules that found something."""
        text = read_rule_page(code, self._link)
        html = markdown.markdown(text, extensions=["fenced_code", "tables"])
        return self._templates.get_template("rule.html").render(
            text=Markup(html),  # noqa: S704 (a text of this package)
        )

    def _link(self, code: str) -> str | None:
        return f"../{self.addresses[code]}" if code in self._reported else None
