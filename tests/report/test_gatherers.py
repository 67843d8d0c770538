"""What is gathered in several processes is what one would have gathered, whoever takes whose."""

import itertools
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.environment import page_environment
from tests.report.sample import make_session
from tests.support.derived import TOKEN_KEY
from tests.support.fleets import EXAMPLE

from pillarbook.inventory.settings import Settings
from pillarbook.publish.minion_parts import MINION_PAGES
from pillarbook.report.gatherers import Tally
from pillarbook.report.report import Report
from pillarbook.report.source import ReportSource
from pillarbook.session import RunOptions, Session, open_session

OPENERS: dict[str, Callable[[], ReportSource]] = {
    "sample": make_session,
    "example": lambda: open_example(EXAMPLE).report,
}


def open_example(folder: Path) -> Session:
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    return open_session(settings, RunOptions(token_key=TOKEN_KEY))


def write_summaries(report: Report) -> dict[str, str]:
    """Return all pages but those about one minion, the files beside them and the search index."""
    written: dict[str, str] = {}
    waiting = [page for page in report.pages if page.kind not in MINION_PAGES]
    while waiting:
        page = waiting.pop(0)
        written[page.uri] = report.write(page)
        written |= report.beside(page)
        waiting += report.further(page)
    return written | dict(report.write_search(()))


def write_minions(report: Report, ranks: Sequence[int]) -> None:
    minions = [page for page in report.pages if page.kind == "minion"]
    for rank in ranks:
        report.write(minions[rank])


@pytest.mark.parametrize("name", ["sample", pytest.param("example", marks=pytest.mark.slow)])
def test_parts_of_a_fleet_come_to_the_whole(name: str) -> None:
    source, templates = OPENERS[name](), page_environment()
    alone = Report(source, templates)
    everybody = range(len(source.minions))
    write_minions(alone, everybody)
    expected = write_summaries(alone)
    assert len(expected) > 5
    given_by = []
    for number in (1, 2):
        report = Report(source, templates)
        write_minions(report, everybody[number::3])
        given_by.append(pickle.dumps(report.give()))
    for order in itertools.permutations(given_by):
        first = Report(source, templates)
        write_minions(first, everybody[::3])
        for one in order:
            first.take(pickle.loads(one))  # noqa: S301 (written above)
        assert write_summaries(first) == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abcd")), max_size=12))
def test_a_tally_of_parts_is_that_of_the_whole(found: list[tuple[int, str]]) -> None:
    whole: Tally[str] = Tally()
    parts: list[Tally[str]] = [Tally(), Tally(), Tally()]
    for rank, key in sorted(found, key=lambda one: one[0]):
        whole.add(key, rank)
        parts[rank % 3].add(key, rank)
    for order in itertools.permutations(range(3)):
        merged: Tally[str] = Tally()
        for number in order:
            merged.take(parts[number])
        assert merged.items() == whole.items()
