"""The index of the search box: blocks of sorted terms in plain scripts.

A report is read from a disk as well, where a page may run a script but fetch nothing, and the index
of a large fleet is too big to load as a whole. So each block is a script of its own, and a
directory of two levels says which one a word leads to (docs/decisions/0030).
`templates/theme/js/search.js` reads it.
"""

import json
from collections.abc import Iterable, Iterator

from pillarbook.report.search_blocks import cut_blocks
from pillarbook.report.search_rows import SearchPart, SearchRow, list_rows

SCHEMA = "pillarbook.search/2"
FOLDER = "assets/search"
"""Where the index is in the site."""
KEYS = 64
"""Keys of blocks in one file of the directory."""


def write_search(parts: Iterable[SearchPart]) -> Iterator[tuple[str, str]]:
    """Yield the files of the index, address and text; the directory's first level is the last one.

    It has the shape ``{"schema", "step": keys in a file, "keys": [the first KEY of each file]}``. A
    file of its second level is ``(number, [KEY...])``, with the keys of blocks in their order. A
    block's is ``(number, [TEXT...], [[offset of the term in the label, kind, label, detail, minion,
    page, anchor]...])``, all but the offset as numbers of texts, and those at the end left out if
    they are empty.
    """
    blocks = cut_blocks(sorted(list_rows(parts)))
    for number, (_, rows) in enumerate(blocks):
        yield f"{FOLDER}/{number}.js", f"pillarbookSearch({number},{_write_block(rows)});\n"
    keys = [key for key, _ in blocks]
    for at in range(0, len(keys), KEYS):
        number, text = at // KEYS, _as_json(keys[at : at + KEYS])
        yield f"{FOLDER}/keys{number}.js", f"pillarbookSearchKeys({number},{text});\n"
    directory = _as_json({"schema": SCHEMA, "step": KEYS, "keys": keys[::KEYS]})
    yield f"{FOLDER}/index.js", f"globalThis.pillarbookSearchIndex = {directory};\n"


def _write_block(rows: Iterable[SearchRow]) -> str:
    texts = {"": 0}
    lines = []
    for row in rows:
        line = [row.offset, *(texts.setdefault(text, len(texts)) for text in row.entry.texts)]
        while not line[-1]:
            line.pop()
        lines.append(line)
    return f"{_as_json(list(texts))},{_as_json(lines)}"


def _as_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))
