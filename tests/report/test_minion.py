"""The page of one minion."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe
from tests.report.sample import SampleBook, filled, leaf, make_session
from tests.support.redacted import make_pillar

from pillarbook.compare.pillars import Comparer
from pillarbook.diagnostics import PillarbookError
from pillarbook.model import Position
from pillarbook.redact.shown_access import AccessPath, Forged, GrainReads
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.minion import MinionPage, MinionPages
from pillarbook.report.sides import gather_sides
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.templates import find_macro

SIDES = (
    EnvironmentSide("base", is_pillarenv=True, has_top=True),
    EnvironmentSide("prod", is_pillarenv=True, has_top=True),
    EnvironmentSide("bare", is_pillarenv=True, has_top=False),
)
IDS = {"pillar", "why", "secrets", "environments", "grains", "diagnostics", "errors"}


def write_page(
    session: SampleBook, minion: str, guide: Mapping[str, str] | None = None
) -> MinionPage:
    pages = MinionPages(session, page_environment(), guide or {}, KeyPatterns(()))
    return pages.write(minion, gather_sides(session, minion, Comparer()))


def write(session: SampleBook, minion: str, guide: Mapping[str, str] | None = None) -> Reader:
    return Reader(write_page(session, minion, guide).content.html)


def in_environments(session: SampleBook, **there: Any) -> SampleBook:
    elsewhere = {(name, minion): one for name, one in there.items() for minion in session.pillars}
    return replace(session, environments=SIDES, elsewhere=elsewhere)


@pytest.mark.parametrize(
    ("minion", "expected"),
    [
        ("web1.example.com", ["redacted: gpg renderer", "0007-token", "overrides", "G@roles:web"]),
        ("Web2", ["staging", "nginx:workers"]),
        ("db1", ["private.keys", "_errors", "missing-sls", "declare where it lies"]),
        ("old1", ["Tab at line 3", "No pillar: the compile failed."]),
        ("spare", ["The pillar is empty", "does not match"]),
    ],
)
def test_a_minions_page_says(minion: str, expected: list[str]) -> None:
    page = write(make_session(), minion)
    assert all(words in page.text for words in expected)
    assert len(set(page.ids)) == len(page.ids)
    inner = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    assert is_safe(page)


def test_the_parts_of_a_page_have_their_ids() -> None:
    session = in_environments(make_session(), prod=filled("db1", {"a": 1}))
    page = write(session, "db1")
    assert set(page.ids) >= IDS
    assert {f"#{name}" for name in IDS} <= set(page.links)
    assert {"db1.yaml", "db1.json", "../environments/index.html"} <= set(page.links)


def test_without_environments_or_secrets_nothing_is_said_of_them() -> None:
    page = write(make_session(), "spare")
    assert not {"environments", "secrets", "errors"} & set(page.ids)


def test_what_a_minion_can_read_of_secrets_is_listed() -> None:
    way = AccessPath(
        "target",
        "roles:db",
        "grain",
        "base",
        Position("pillar/base/top.sls", 9),
        ("db", "app"),
        Forged(("roles",), "`db*`"),
        (GrainReads("pillar/base/top.sls", ("site",)),),
    )
    page = write(replace(make_session(), roads={"app": (way,)}), "db1")
    row = page.row("postgres:password|gpg renderer0007-token")
    assert row == (
        "|postgres:password|gpg renderer0007-token"
        "|roles:db grain pillar/base/top.sls:9 base: db → app"
        " forgeable by a minion that matches db* and sets the grain roles"
        " pillar/base/top.sls reads the grain site"
    )
    assert "#k-postgres.password" in page.links


def test_ways_that_are_no_targets_are_named() -> None:
    write = find_macro(page_environment(), "route", "access")
    external = write(AccessPath("external pillar", "<x>"), (), ())
    assert external == "external pillar <code>&lt;x&gt;</code>"
    assert "inventory" in write(AccessPath("inventory", ""), (), ())


def test_other_environments_stand_side_by_side() -> None:
    page = write(in_environments(make_session(), prod=filled("spare", {"a": 1})), "spare")
    assert "bare has no top file: no pillar there." in page.text
    assert page.row("|a|") == "|a||1"


def test_that_environments_give_the_same_is_said() -> None:
    session = in_environments(
        SampleBook({"m": filled("m", {"a": 1})}), bare=make_pillar("m", outcome="empty")
    )
    text = " ".join(write(session, "m").text.split())
    assert "No differences between the environments that can be compared." in text


def test_errors_of_another_environment_are_told() -> None:
    there = filled("m", {"a": 2}, outcome="partial", errors=("No SLS 'x' here",))
    session = in_environments(SampleBook({"m": filled("m", {"a": 1})}), prod=there)
    text = " ".join(write(session, "m").text.split())
    assert "prod partial No SLS 'x' here" in text


def test_rules_are_explained_where_the_guide_has_a_page() -> None:
    page = write(make_session(), "db1", guide={"missing-sls": "rules/missing-sls.html"})
    assert "../rules/missing-sls.html" in page.links


def test_pillars_are_asked_for_once_each() -> None:
    session = in_environments(make_session())
    write(session, "db1")
    assert session.asked == ["db1"]
    assert session.asked_in == [(side.name, "db1") for side in SIDES]


def test_a_pillar_that_shows_its_secrets_is_not_published() -> None:
    shown = make_pillar("m", revealed=True)
    with pytest.raises(PillarbookError, match="not for publishing"):
        write(SampleBook({"m": shown}), "m")
    with pytest.raises(PillarbookError, match="not for publishing"):
        write(in_environments(SampleBook({"m": make_pillar("m")}), prod=shown), "m")


def test_an_empty_pillar_has_no_row() -> None:
    session = SampleBook({"m": make_pillar("m", leaf((), {}), outcome="empty")})
    page = write_page(session, "m")
    assert "The pillar is empty" in page.content.html
    assert page.summary.values == 0


def test_scalars_of_a_list_of_grains_share_a_row() -> None:
    session = replace(
        make_session(), facts={"roles": ["web", "80"], "disks": [{"name": "sda"}, []]}
    )
    page = write(session, "spare")
    assert page.row("roles|") == '|roles|web, "80"'
    assert page.row("disks:0") == "|disks:0:name|sda"


def test_a_page_of_500_keys_is_light() -> None:
    data = {f"section{a}": {f"some_option{b}": f"value {b}" for b in range(25)} for a in range(20)}
    session = in_environments(SampleBook({"m": filled("m", data)}))
    html = write_page(session, "m").content.html
    assert len(html.encode()) < 85_000


def test_planted_markup_in_errors_stays_text() -> None:
    session = SampleBook(
        {"m": make_pillar("m", outcome="partial", errors=(PLANTED,), raises=PLANTED)}
    )
    page = write(session, "m")
    assert is_safe(page)
    assert page.text.count("{{ 7*7 }}") == 2
