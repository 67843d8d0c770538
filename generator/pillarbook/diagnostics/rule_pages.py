"""The pages that explain the rules, which the wheel has: what a rule finds, why, and what to do."""

import re
from collections.abc import Callable
from pathlib import Path

from pillarbook.diagnostics.rules import RULES

_CONFIGURE = "[Configure rules](index.md#configure)"
"""The end of each page: a link that leads nowhere outside of the guide."""
# Words in brackets before an address; a page has no pictures, and no brackets within words.
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^()\s]+)\)")


def rule_root() -> Path:
    """Return the folder of the pages: the packaged one, else the checkout's."""
    packaged = Path(__file__).parents[1] / "rules"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "site_src" / "rules"


def read_rule_page(code: str, address_of: Callable[[str], str | None] = lambda _: None) -> str:
    """Return the page of a rule as Markdown.

    Args:
        code: A rule of ``RULES``.
        address_of: Gives the address of another rule's page by its code, or None. Links without an
            address, as all others to pages of the guide, become their words.
    """
    assert code in RULES  # noqa: S101 (no file is read by a name that a user gives)
    text = (rule_root() / f"{code}.md").read_text(encoding="utf-8")
    text = text.replace(_CONFIGURE, "").rstrip() + "\n"

    def lead(link: re.Match[str]) -> str:
        words, target = link.groups()
        other = target.removesuffix(".md")
        address = target if "://" in target else address_of(other) if other in RULES else None
        return words if address is None else f"[{words}]({address})"

    return _LINK.sub(lead, text)
