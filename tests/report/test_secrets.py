"""The page of secrets: what it says, what it leaves out, and what it weighs."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import Reader, is_safe
from tests.report.sample import SampleBook, fill_fleet, leaf, make_session, sides_of
from tests.support.redacted import make_pillar

from pillarbook.model import KeyPath, Position
from pillarbook.model.unknown import Unknown
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin, RedactedPillar
from pillarbook.redact.shown_access import AccessPath, Forged, GrainReads
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.report import Report
from pillarbook.report.secret_access import Access
from pillarbook.report.secrets_page import write_secrets, write_secrets_json
from pillarbook.report.templates import find_macro
from pillarbook.roots.history import LineAge

WEB = AccessPath("target", "web*", "glob", "base", Position("top.sls", 2), ("web",))
DB = AccessPath(
    "target", "roles:db", "grain", "base", Position("top.sls", 5), ("db",), Forged(("roles",), "")
)


def secret(path: KeyPath, place: int, file: str = "web.sls", line: int = 1) -> RedactedLeaf:
    value = Redacted("gpg renderer", place)
    sls = file.removesuffix(".sls")
    return RedactedLeaf(path, value, (RedactedOrigin(file, line, sls, "base", value),))


def pillars(given: Mapping[str, Iterable[RedactedLeaf]]) -> dict[str, RedactedPillar]:
    return {minion: make_pillar(minion, *leaves) for minion, leaves in given.items()}


def write(session: SampleBook) -> tuple[Reader, str, Any]:
    """Return the page as it is read and as it is written, and the JSON beside it."""
    report = Report(session, page_environment())
    for page in report.pages:
        html = report.write(page)
        if page.kind == "secrets":
            read = Reader(html)
            assert is_safe(read)
            assert len(set(read.ids)) == len(read.ids)
            return read, html, json.loads(report.beside(page)["secrets.json"])
    raise AssertionError


SHARED = secret(("app", "token"), 1)
FEW = {
    "web1": [SHARED],
    "web2": [SHARED],
    "db1": [SHARED, secret(("db", "password"), 2, "db.sls", 4)],
    "lb1": [],
}
BOOK = SampleBook(
    pillars(FEW),
    roads={"web": (WEB,), "db": (DB,)},
    line_ages={
        ("web.sls", 1): LineAge("committed", "0123456789abcdef", "2020-02-29"),
        ("db.sls", 4): LineAge("committed", "fedcba9876543210", "2021-02-28", at_least=True),
    },
)


def test_a_row_for_equal_readers_and_a_column_for_equal_secrets() -> None:
    page, _, _ = write(BOOK)
    assert page.row("app:token") == "|app:tokenweb1, web2, db1|yes|yes"
    assert page.row("db:password") == "|db:password forgeabledb1||yes"
    assert page.row("|Secrets|") == "|Secrets|1: both of web*|2: db1"


def test_sections_say_who_reads_and_how() -> None:
    page, _, _ = write(BOOK)
    assert page.row("web1, web2, db1 columns") == (
        "|web1, web2, db1 columns 1, 2web* glob top.sls:2 base: web"
    )
    assert page.row("roles:db grain").endswith("forgeable by any minion that sets the grain roles")
    rows = [row for row in page.rows if "token|gpg" in row or "password|gpg" in row]
    assert rows == [
        "|app:token|gpg renderer|0001-token|web.sls:1 changed 2020-02-29, 01234567",
        "|db:password|gpg renderer|0002-token|db.sls:4 unchanged since at least 2021-02-28, fedcba98",
    ]


def test_figures_stand_at_the_top() -> None:
    text = re.sub(r"\s+", " ", write(BOOK)[0].text)
    assert "Secrets2 Minions with secrets3 of 4 forgeable1 a minion can get it by" in text
    assert "Oldest change2020-02-29 unchanged since" in text
    assert "the git history does not reach back to the last change" in text


def test_no_forgeable_secret_needs_no_explanation() -> None:
    text = re.sub(r"\s+", " ", write(SampleBook(pillars({"web1": [SHARED]})))[0].text)
    assert "forgeable0 " in text
    assert "a minion can get" not in text


def test_members_are_linked() -> None:
    page, _, _ = write(BOOK)
    assert {"minions/web1.html#secrets", "minions/db1.html#secrets"} <= set(page.links)


def test_equal_values_name_each_other() -> None:
    leaves = [secret(("a", "x"), 1), secret(("b", "y"), 1, line=2), secret(("c", "z"), 1, line=3)]
    page, _, _ = write(SampleBook(pillars({"web1": leaves})))
    assert "0001-token same value as b:y and 1 more" in page.row("a:x|gpg")


def test_a_page_without_secrets_says_so() -> None:
    page, _, told = write(SampleBook(pillars({"web1": []})))
    assert "No secrets found" in page.text
    assert told == {"schema": "pillarbook.secrets/2", "secrets": [], "readers": []}


CLEAR = {"web1": make_pillar("web1", SHARED), "lb1": make_pillar("lb1")}
UNKNOWN = make_pillar("db1", leaf(("a",), Unknown(("clock",))))
BROKEN = make_pillar("old1", outcome="failed", raises="Pillar render error")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([], ""),
        ([UNKNOWN], "unknown values on 1 minion."),
        ([BROKEN], "errors in the pillar of 1 minion."),
        ([UNKNOWN, BROKEN], "errors in the pillar of 1 minion and unknown values on 1 minion."),
    ],
)
@pytest.mark.parametrize("clear", [CLEAR, {}], ids=["some", "none"])
def test_secrets_that_may_be_missing_are_told(
    more: list[RedactedPillar], words: str, clear: Mapping[str, RedactedPillar]
) -> None:
    page, _, _ = write(SampleBook({**clear, **{one.minion: one for one in more}}))
    text = re.sub(r"\s+", " ", page.text)
    assert ("No secrets found" in text) == (not clear)
    assert (f"Secrets may be missing here: {words}" in text) if words else "missing" not in text


def test_values_of_each_minions_own_are_one_row() -> None:
    own = {
        f"web{number}": [SHARED, secret(("host", "key"), 10 + number, line=7)]
        for number in range(6)
    }
    page, _, told = write(SampleBook(pillars(own)))
    assert page.row("host:key|") == (
        "|host:key|gpg renderer|6 values a different one for each minion|web.sls:7"
    )
    assert page.row("|Secrets|") == "|Secrets|1: all 6 minions"
    assert len(told["readers"]) == 6
    assert len(told["secrets"]) == 7


def test_values_that_many_share_stay_apart() -> None:
    shared = {
        f"web{number}": [secret(("site", "key"), 10 + number % 4, line=7)] for number in range(16)
    }
    page, _, _ = write(SampleBook(pillars(shared)))
    assert len([row for row in page.rows if row.startswith("|site:key|gpg")]) == 4


def test_targets_that_a_template_writes_are_one_way() -> None:
    ways = {
        f"web{number}": AccessPath(
            "target", f"web{number}", "glob", "base", Position("top.sls", 2), ("a",)
        )
        for number in range(5)
    }

    class Book(SampleBook):
        def ways(self, minion: str, _: RedactedOrigin) -> tuple[AccessPath, ...]:
            return (ways[minion],)

    page, _, told = write(Book(pillars({minion: [SHARED] for minion in ways})))
    assert "web0, web1, web2 glob top.sls:2 base: a" in page.row("all 5 minions column")
    (one,) = told["secrets"]
    assert [way["minions"] for way in one["ways"]] == [5]


def test_a_target_that_gives_several_secrets_is_one_section() -> None:
    top = Position("top.sls", 2)
    roads: dict[str | None, tuple[AccessPath, ...]] = {
        name: (AccessPath("target", "*", "glob", "base", top, (*before, name)),)
        for name, before in {"web": (), "db": ("web",), **dict.fromkeys("abcdefghi", ())}.items()
    }
    given = [secret((f"{name}", "token"), at, f"{name}.sls") for at, name in enumerate(roads, 1)]
    page, _, told = write(SampleBook(pillars({"web1": given, "web2": given}), roads=roads))
    assert [row for row in page.rows if "* glob top.sls:2" in row] == [
        "|both minions column 1* glob top.sls:2 base: web, web → db, a, b, c, d, e, f and 3 more"
    ]
    assert {tuple(way["sls"]) for one in told["secrets"] for way in one["ways"]} >= {("web", "db")}


def test_what_files_read_is_joined() -> None:
    reads = [
        (
            AccessPath(
                "target", "*", "glob", "base", None, ("a",), reads=(GrainReads("a.sls", (name,)),)
            ),
        )
        for name in ("os", "site")
    ]

    class Book(SampleBook):
        def ways(self, minion: str, _: RedactedOrigin) -> tuple[AccessPath, ...]:
            return reads[int(minion[-1])]

    page, _, _ = write(Book(pillars({"web0": [SHARED], "web1": [SHARED]})))
    assert "a.sls reads the grains os, site" in page.row("both minions column")


@pytest.mark.parametrize(
    ("age", "told"),
    [
        (LineAge("untracked"), "not in git"),
        (LineAge("changed"), "changed since the last commit"),
        (LineAge("committed", "0123456789", "2020-01-01"), "changed 2020-01-01"),
    ],
)
def test_ages(age: LineAge, told: str) -> None:
    assert told in find_macro(page_environment(), "age_of", "secret_section")(age)


def test_the_sample_has_both_kinds_of_origin() -> None:
    page, _, told = write(make_session())
    assert "postgres:password" in page.text
    (one,) = told["secrets"]
    assert one["path"] == ["postgres", "password"]


def make_large(minions: int, secrets: int) -> list[tuple[str, RedactedPillar, str]]:
    """Return minions of 250 roles, each with secrets of its own, and some that all share."""
    roles = 250
    common = [secret(("common", f"key{number}"), number, line=number) for number in range(20)]
    of_role = [
        [
            secret(
                ("role", f"r{role}", f"secret_number_{number}"),
                100 + role * 100 + number,
                line=number,
            )
            for number in range((secrets - 20) // roles)
        ]
        for role in range(roles)
    ]
    shared = [make_pillar("x", *common, *leaves) for leaves in of_role]
    return [
        (f"host{number:05}.example.com", shared[number % roles], f"role:{number % roles}")
        for number in range(minions)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_minions_and_five_thousand_secrets_stay_small(count: int) -> None:
    access = Access()
    both = (WEB, DB)
    minions = make_large(count, 5_000)
    fleet = fill_fleet(
        (sides_of((), replace(pillar, minion=minion)), {"role": tag})
        for minion, pillar, tag in minions
    )
    for rank, (_, pillar, _) in enumerate(minions):
        access.add_secrets(rank, ((leaf, (), both) for leaf in pillar.leaves))
    found = access.finish(fleet.name)
    html = write_secrets(GroupLinks(fleet), found, {}, str, page_environment())
    told = json.loads(write_secrets_json(found, {}, str))
    page = Reader(html)
    assert len(html) < 1_200_000
    # Those that all read, and those of the shown groups: a row without "yes" looks unread.
    head = "Shown are the largest 16 of 250 groups of minions, and 17 of 251 groups of secrets"
    assert head in page.text
    assert len(told["secrets"]) == 4_770
    assert sum(len(one["minions"]) for one in told["readers"]) == count
    left = re.search(r"([\d,]+) more secrets are in", page.text)
    shown = len([row for row in page.rows if "gpg renderer" in row])
    assert shown + (int(left[1].replace(",", "")) if left else 0) == 4_770
