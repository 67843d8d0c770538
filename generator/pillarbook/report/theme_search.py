"""A few words of each page, for the search of a theme that is not pillarbook's.

Such a search finds whole words of what MkDocs shows it, and the data of all pages would make its
index unusable. So it gets names only: of a minion, of the keys on a page, of a file.
"""

import re
from collections.abc import Iterable

from pillarbook.report.value_html import make_visible

_WORDS = re.compile(r"\w+")


def list_words(names: Iterable[str]) -> str:
    """Return names and the words in them, each once, for ``web1.example.com`` is one word there."""
    found: dict[str, None] = {}
    for name in map(make_visible, names):
        found |= dict.fromkeys((name, *_WORDS.findall(name)))
    return " ".join(found)
