"""The pages of the guide that the wheel has: how to read a report, and what each rule finds."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from pillarbook.diagnostics.rules import RULES

GUIDE_PAGES = ("guide/reading", "guide/words")
"""The pages about the report as a whole, by their paths in the guide without ending."""
_CONFIGURE = "[Configure rules](index.md#configure)"
"""The end of each rule's page: a link that leads nowhere outside of the guide."""
# Words in brackets before an address; a page has no pictures, and no brackets within words.
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^()\s]+)\)")


def guide_root() -> Path:
    """Return the folder of the texts: the packaged one, else the checkout's."""
    packaged = Path(__file__).parents[1] / "guide_texts"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "site_src"


def rule_name(code: str) -> str:
    """Return the name of a rule's page in the guide."""
    return f"rules/{code}"


def read_guide_page(name: str, address_of: Callable[[str], str | None] = lambda _: None) -> str:
    """Return a page of the guide as Markdown.

    ``name`` is one of ``GUIDE_PAGES``, or the ``rule_name`` of a rule. ``address_of`` gives the
    address of another page by its name, or None: links to such pages become their words.
    """
    # No file is read by a name that a user gives.
    assert name in GUIDE_PAGES or name.removeprefix("rules/") in RULES  # noqa: S101 (see above)
    text = (guide_root() / f"{name}.md").read_text(encoding="utf-8")
    text = text.replace(_CONFIGURE, "").rstrip() + "\n"

    def lead(link: re.Match[str]) -> str:
        words, target = link.groups()
        if "://" in target:
            return link[0]
        page, hash_sign, anchor = target.partition("#")
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), page))
        address = address_of(other.removesuffix(".md") if page else name)
        return words if address is None else f"[{words}]({address}{hash_sign}{anchor})"

    return _LINK.sub(lead, text)
