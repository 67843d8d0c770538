"""The report as a whole: which pages there are, and what each leaves for the others."""

import json
from dataclasses import replace

import pytest
from tests.report.environment import page_environment
from tests.report.sample import SampleBook, filled, make_session
from tests.support.redacted import make_pillar

from pillarbook.diagnostics import PillarbookError
from pillarbook.report.addresses import Page, pair_name, plan_pages
from pillarbook.report.report import Report
from pillarbook.report.source import EnvironmentSide

BASE = EnvironmentSide("base", is_pillarenv=True, has_top=True)
STAGING = EnvironmentSide("Staging", is_pillarenv=True, has_top=True)
PROD = EnvironmentSide("prod", is_pillarenv=False, has_top=True)


def write_all(session: SampleBook) -> dict[str, str]:
    report = Report(session, page_environment())
    written: dict[str, str] = {}
    for page in report.pages:
        written[page.uri] = report.write(page)
        written |= report.beside(page)
    return written


def test_minions_come_first_and_what_sums_them_up_last() -> None:
    session = SampleBook(
        {"a": make_pillar("a"), "B": make_pillar("B")}, environments=(BASE, STAGING, PROD)
    )
    assert plan_pages(session) == (
        Page("minions/a.html", "a", "minion", "a"),
        Page("minions/b~df7e70e50215.html", "B", "minion", "B", number=1),
        Page("minions/index.html", "Minions", "minions", in_nav=True),
        Page("environments/base--staging~a8e7ac92a116.html", "base and Staging", "pair", number=1),
        Page("environments/base--prod.html", "base and prod", "pair", number=2),
        Page("environments/index.html", "Environments", "environments", in_nav=True),
        Page("keys/index.html", "Keys", "keys", in_nav=True),
        Page("targets.html", "Targets", "targets", in_nav=True),
        Page("secrets.html", "Secrets", "secrets", in_nav=True),
        Page("diagnostics.html", "Diagnostics", "diagnostics", in_nav=True),
        Page("index.html", "Sample", "home", in_nav=True),
    )


@pytest.mark.parametrize(("minions", "lists"), [(0, 1), (1000, 1), (1001, 2), (2500, 3)])
def test_the_list_is_split_above_a_thousand(minions: int, lists: int) -> None:
    names = [f"m{number}" for number in range(minions)]
    pages = plan_pages(SampleBook({name: make_pillar(name) for name in names}))
    found = [page for page in pages if page.kind == "minions"]
    assert [page.in_nav for page in found] == [True, *[False] * (lists - 1)]
    assert found[-1].uri == ("minions/index.html" if lists == 1 else f"minions/index~{lists}.html")


def test_no_two_pages_share_an_address() -> None:
    names = ["index", "Index", "index~2", "a", "A", "a--b", "../x", "x.html", "con", "ä"]
    sides = [EnvironmentSide(name, is_pillarenv=True, has_top=True) for name in names]
    session = SampleBook({name: make_pillar(name) for name in names}, environments=sides)
    addresses = [page.uri.lower() for page in plan_pages(session)]
    assert len(set(addresses)) == len(addresses)
    assert not any(".." in address for address in addresses)


def test_pairs_are_named_by_both_sides() -> None:
    assert pair_name("base", "prod/eu") == "base--prod-eu~7394b101994b"


def test_each_pillar_is_asked_for_once() -> None:
    session = replace(make_session(), environments=(BASE, PROD))
    write_all(session)
    assert session.asked == list(session.pillars)
    assert session.asked_in == [
        (name, minion) for minion in session.pillars for name in ("base", "prod")
    ]


def test_a_minion_lies_beside_its_page_as_json_and_yaml() -> None:
    session = SampleBook({"m": filled("m", {"a": 1})})
    written = write_all(session)
    assert json.loads(written["minions/m.json"]) == {"a": 1}
    assert written["minions/m.yaml"] == '{\n "a": 1\n}\n'


def test_a_pair_lies_beside_its_page_as_json() -> None:
    one = {"m": filled("m", {"a": 1})}
    other = {("prod", "m"): filled("m", {"a": 2})}
    written = write_all(SampleBook(one, environments=(BASE, PROD), elsewhere=other))
    assert len(json.loads(written["environments/base--prod.json"])["changes"]) == 1


def test_only_a_page_just_written_has_something_beside_it() -> None:
    report = Report(make_session(), page_environment())
    first, second, *_ = report.pages
    report.write(first)
    report.write(second)
    assert report.beside(first) == {}
    assert set(report.beside(second)) == {
        "minions/web2~d443df215b87.json",
        "minions/web2~d443df215b87.yaml",
    }


def test_a_split_list_has_its_index_beside_the_last_page() -> None:
    names = [f"m{number}" for number in range(1001)]
    session = SampleBook({name: make_pillar(name) for name in names})
    assert "assets/minions.js" in write_all(session)
    # The first one is named in the menu.
    titles = [
        one.title for one in Report(session, page_environment()).pages if one.kind == "minions"
    ]
    assert titles == ["Minions", "Minions, page 2"]
    assert "assets/minions.js" not in write_all(make_session())


@pytest.mark.parametrize("where", ["declared", "prod"])
def test_a_pillar_that_shows_its_secrets_is_not_published(where: str) -> None:
    shown = make_pillar("m", revealed=True)
    session = SampleBook(
        {"m": shown if where == "declared" else make_pillar("m")},
        environments=(BASE, PROD),
        elsewhere={("prod", "m"): shown},
    )
    with pytest.raises(PillarbookError, match="not for publishing"):
        write_all(session)
