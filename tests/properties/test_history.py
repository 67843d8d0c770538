"""The law of histories: an entry has the changes of the comparison that it was made of."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.compare.pillars import as_pillar
from tests.properties.test_compare import PILLARS, variants
from tests.report.reader import Reader, is_safe
from tests.report.test_history import TEMPLATES, HexBook

from pillarbook.compare.change import Change, change_to_json
from pillarbook.compare.diff import DiffBuilder
from pillarbook.redact.redacted_json import GetToken
from pillarbook.redact.tokens import TokenKey, Tokens
from pillarbook.report.group_names import GroupNames
from pillarbook.report.history_entry import make_entry, write_entry
from pillarbook.report.history_pages import HistoryPages
from pillarbook.report.history_reader import SavedHistory, read_entry
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.source_links import ForgeLinks


def told(change: Change, token: GetToken) -> str:
    written = change_to_json(change, token)
    kept = {name: written.get(name) for name in ("kind", "before", "after", "from", "to")}
    return json.dumps([repr(change.path), sorted(change.positions), kept])


@given(st.data())
def test_an_entry_that_is_read_has_the_changes_of_its_comparison(data: Any) -> None:
    before = data.draw(PILLARS)
    pillars = (
        as_pillar(before),
        as_pillar(data.draw(variants(before).filter(lambda one: isinstance(one, dict)))),
    )
    builder = DiffBuilder()
    builder.add(*pillars)
    paths = [leaf.path for pillar in pillars for leaf in pillar.leaves if leaf.path]
    diff = builder.finish("base", "head", ())
    minion = pillars[0].minion
    book, tokens = HexBook({minion: pillars[1]}), Tokens()
    entry = make_entry(book, 2, diff, GroupNames({minion: ()}))
    assert (entry is None) is not bool(diff.shown)
    if entry is not None:
        read = read_entry(json.loads(write_entry(entry, TokenKey())), tokens)
        changes = [told(one.change, tokens.token) for one in read.changes if one.change]
        assert changes == [told(atom.change, book.token) for atom in diff.shown]
        saved, patterns = SavedHistory((), True, str), KeyPatterns([minion])
        pages = HistoryPages(saved, book.about, patterns, ForgeLinks(None, None), TEMPLATES)
        pages.add(entry)
        assert is_safe(Reader(pages.write(lambda _: "")))
        assert all(is_safe(Reader(pages.write_key(patterns.pattern_of(path)))) for path in paths)
