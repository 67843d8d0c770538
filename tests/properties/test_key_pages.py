"""The law of key pages: they say of each key what all compiled pillars say, value by value."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.trees import DrawnFleet, fleets
from tests.report.environment import page_environment
from tests.support.derived import opened
from tests.support.fleets import write_drawn
from tests.support.tiers import fewer

from pillarbook.report.key_pages import FEW_VALUES
from pillarbook.report.key_patterns import (
    KeyPattern,
    KeyPatterns,
    TypedPath,
    page_name,
    top_page_name,
)
from pillarbook.report.report import Report
from pillarbook.report.row_ids import list_positions
from pillarbook.report.value_html import show_value
from pillarbook.session.session import Session

CONFIGURATION = "site_name: x\nplugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n"
ROW = re.compile(r"<tr><td>(?:<small>[^<]*:</small> )?(.*?)</td><td>(.*?)</td><td>", re.DOTALL)
Values = dict[str, set[str]]
"""Who has a value, by its HTML."""

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


def look_at_all(session: Session) -> dict[TypedPath, tuple[KeyPattern, Values]]:
    """Return who has which value of each key, pillar by pillar."""
    patterns = KeyPatterns(session.fleet.minions)
    found: dict[TypedPath, tuple[KeyPattern, Values]] = {}
    for minion in session.fleet.minions:
        pillar = session.report.pillar(minion)
        for leaf in pillar.leaves:
            if leaf.path:
                positions = list_positions(leaf.path, pillar.data[leaf.path[0]])
                pattern = patterns.pattern_of(leaf.path, positions)
                _, values = found.setdefault(pattern.typed, (pattern, {}))
                values.setdefault(show_value(leaf.value, session.report.token), set()).add(minion)
    return found


def write_all(session: Session) -> dict[str, str]:
    report = Report(session.report, page_environment())
    pages = list(report.pages)
    written = {}
    for page in pages:
        written[page.uri] = report.write(page)
        pages += report.further(page)
    return written


def check_key(pattern: KeyPattern, values: Values, pages: Mapping[str, str]) -> None:
    everyone = set().union(*values.values())
    own = pages.get(f"keys/{page_name(pattern)}.html")
    if own is not None and len(pattern.path) > 1:
        told = {
            value: set(re.findall(r">([^<]+)</a>", who.rpartition('class="members"')[2]))
            for value, who in ROW.findall(own)
        }
        assert told == values
        return
    name = top_page_name(pattern)
    assert f'<tr id="{pattern.anchor}"' in pages[f"keys/{name}.html"]  # where minions' pages lead
    head = f'<tr id="{pattern.anchor}" class="section"'
    (top,) = (page for uri, page in pages.items() if is_part(uri, name) and head in page)
    if len(pattern.path) == 1:
        (section,) = re.findall(r"<tbody>.*?</tbody>", top, re.DOTALL)[:1]
        top = section
    start = top.index(head)
    section = top[start : top.index("</tbody>", start)]
    minions = "1 minion" if len(everyone) == 1 else f"{len(everyone)} minions"
    assert f", {minions}, " in section
    shown = [value for value, _ in ROW.findall(section)]
    assert set(shown) == set(values)
    if len(pattern.path) > 1:  # else all pages would have to be told apart
        assert all(minions == everyone for minions in values.values())
        assert len(values) <= FEW_VALUES


def is_part(uri: str, name: str) -> bool:
    """Say whether a page is that of a top-level key, or of a part of its keys."""
    return re.fullmatch(rf"keys/{re.escape(name)}(~\d+)?\.html", uri) is not None


@fewer(2)
@given(fleet=fleets())
def test_key_pages_say_what_all_pillars_say(fleet: DrawnFleet) -> None:
    compare_with_pillars(fleet)


@pytest.mark.slow
@fewer(2)
@given(fleet=fleets())
def test_parts_of_a_large_key_say_it_too(fleet: DrawnFleet) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pillarbook.report.key_pages.MAX_TOLD", 2)
        compare_with_pillars(fleet)


def compare_with_pillars(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = write_drawn(Path(folder), fleet)
        (tree / "mkdocs.yml").write_text(CONFIGURATION)
        with opened(tree) as session:
            pages = write_all(session)
        with opened(tree) as session:
            expected = look_at_all(session)
    anchors = [pattern.anchor for pattern, _ in expected.values()]
    for pattern, values in expected.values():
        if anchors.count(pattern.anchor) == 1:  # 1 and "1" have ids of their own
            check_key(pattern, values, pages)
    listed = sum(
        page.count('<tr><th scope="row"><a')
        for uri, page in pages.items()
        if uri.startswith("keys/index")
    )
    assert listed == len(expected)
