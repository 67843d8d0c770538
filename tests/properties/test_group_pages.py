"""The law of pages of groups: what minions have in common, pillar by pillar."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.test_key_pages import CONFIGURATION
from tests.properties.trees import DrawnFleet, fleets
from tests.report.environment import page_environment
from tests.support.derived import opened
from tests.support.fleets import write_drawn
from tests.support.tiers import fewer

from pillarbook.compare.pillars import Comparer
from pillarbook.report.group_pages import GroupKeys, find_group_keys
from pillarbook.report.key_fleet import KeyFleet
from pillarbook.report.key_patterns import KeyPatterns, TypedPath
from pillarbook.report.minion import MinionPages
from pillarbook.report.row_ids import list_positions
from pillarbook.report.sides import gather_sides
from pillarbook.session.session import Session

Values = dict[TypedPath, frozenset[str]]
"""What a minion has of each key: each path with its value."""

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


def look_at_all(session: Session) -> dict[str, Values]:
    """Return what each minion has of each key."""
    patterns = KeyPatterns(session.fleet.minions)
    found: dict[str, Values] = {}
    for minion in session.fleet.minions:
        values: dict[TypedPath, set[str]] = {}
        pillar = session.report.pillar(minion)
        for leaf in pillar.leaves:
            if leaf.path:
                positions = list_positions(leaf.path, pillar.data[leaf.path[0]])
                typed = patterns.pattern_of(leaf.path, positions).typed
                values.setdefault(typed, set()).add(repr((leaf.path, leaf.value)))
        found[minion] = {typed: frozenset(own) for typed, own in values.items()}
    return found


def gather(session: Session) -> KeyFleet:
    """Return the keys of a fleet as its pages gather them."""
    patterns = KeyPatterns(session.fleet.minions)
    pages = MinionPages(session.report, page_environment(), {}, patterns)
    keys = KeyFleet(patterns)
    for rank, minion in enumerate(session.fleet.minions):
        sides = gather_sides(session.report, minion, Comparer())
        keys.add_sections(rank, pages.write(minion, sides, None, None).sections)
    return keys


def told(found: GroupKeys) -> dict[str, set[TypedPath]]:
    return {
        "common": {one.pattern.typed for one in found.common},
        "differing": {one.pattern.typed for one in found.differing},
    }


@fewer(4)
@given(fleet=fleets())
def test_minions_have_in_common_what_all_of_them_have(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = write_drawn(Path(folder), fleet)
        (tree / "mkdocs.yml").write_text(CONFIGURATION)
        with opened(tree) as session:
            keys = gather(session).finish()
        with opened(tree) as session:
            by_minion = list(look_at_all(session).values())
    for group in range(1, 1 << min(len(by_minion), 5)):
        own = [values for rank, values in enumerate(by_minion) if group >> rank & 1]
        everything = set().union(*own)
        common = {typed for typed in everything if len({one.get(typed) for one in own}) == 1}
        expected = {"common": common, "differing": everything - common}
        assert told(find_group_keys(keys, group)) == expected, f"{group:b}"
