"""Every page of a report: nothing planted comes through, and every link leads somewhere."""

import posixpath
from dataclasses import replace
from urllib.parse import unquote

import pytest
from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe, planted_diagnostic
from tests.report.sample import (
    SampleBook,
    SampleSince,
    changed_session,
    filled,
    leaf,
    make_session,
    origin,
)
from tests.report.sample_sources import SampleSources
from tests.support.redacted import make_pillar

from pillarbook.compare.atoms import Cited
from pillarbook.model import Position
from pillarbook.redact.redacted_pillar import Redacted, RedactedTarget, VerdictPart
from pillarbook.redact.shown_access import AccessPath, Forged, GrainReads
from pillarbook.redact.source_files import (
    Asked,
    FileRender,
    ImportedFile,
    MaskedLine,
    MinionRenders,
    SourceFile,
    SourceRead,
)
from pillarbook.report.report import Report
from pillarbook.report.source import EnvironmentSide
from pillarbook.roots.history import LineAge

SIDES = tuple(
    EnvironmentSide(name, is_pillarenv=name != "prod", has_top=name != "bare")
    for name in ("base", "prod", "bare")
)


def make_fleet() -> SampleBook:
    """Return the sample with environments that differ."""
    session = make_session()
    data = {"ntp": {"servers": ["a", "b"]}, "motd": "one\ntwo\n"}
    changed = {"ntp": {"servers": ["b", "c"]}, "new": {"a": [1, {"b": None}]}}
    pillars = dict(session.pillars) | {
        name: filled(name, data) for name in (f"web{number}" for number in range(9))
    }
    elsewhere = {("prod", name): filled(name, changed) for name in pillars if name != "old1"}
    session = replace(session, pillars=pillars, environments=SIDES, elsewhere=elsewhere)
    many = {f"web{number}": filled(f"web{number}", changed) for number in range(9)}
    gone = filled("gone", data)
    was_ok = filled("old1", data, faults=())
    session.since = SampleSince(session, {**many, "gone": gone, "old1": was_ok, "spare": None})
    return session


def make_large() -> SampleBook:
    """Return a fleet in which a change has a page of its own."""
    names = [f"m{number}" for number in range(40)]
    return changed_session(
        {name: filled(name, {"a": 1}) for name in names},
        {name: filled(name, {"a": 2, "b": number % 2}) for number, name in enumerate(names)},
    )


def make_planted() -> SampleBook:
    """Return a book in which every text is planted."""
    place = origin(PLANTED, PLANTED, 1)
    part = VerdictPart(PLANTED, True, (VerdictPart(PLANTED, False),))
    minion = make_pillar(
        f"minion {PLANTED}",  # unlike a key, which would be a name of the minion
        leaf((PLANTED, PLANTED), PLANTED, place),
        leaf(
            (PLANTED, "lines"),
            f"{PLANTED}\n{PLANTED}\n",
            replace(place, sls=PLANTED, saltenv=PLANTED),
        ),
        leaf((PLANTED, "secret"), Redacted(PLANTED, 1)),
        data={
            PLANTED: {
                PLANTED: PLANTED,
                "lines": f"{PLANTED}\n{PLANTED}\n",
                "secret": Redacted(PLANTED, 1),
            }
        },
        outcome="partial",
        errors=(PLANTED,),
        raises=PLANTED,
        pillarenv=PLANTED,
        saltenv=PLANTED,
        targets=(RedactedTarget(PLANTED, PLANTED, PLANTED, PLANTED, 1, True, (PLANTED,), (part,)),),
    )
    fault = planted_diagnostic()
    sides = tuple(
        EnvironmentSide(f"{number}{PLANTED}", is_pillarenv=False, has_top=number < 2)
        for number in range(3)
    )
    other = filled(minion.minion, {PLANTED: {PLANTED: 1, "lines": PLANTED}}, PLANTED)
    session = SampleBook(
        {minion.minion: minion},
        (fault,),
        {PLANTED: {PLANTED: [PLANTED]}, "roles": [PLANTED[:40]]},
        site_name=PLANTED,
        environments=sides,
        roads={"app": planted_ways()},
        line_ages={
            ("pillar/base/app.sls", 3): LineAge("committed", PLANTED, PLANTED, author=PLANTED),
            (PLANTED, 1): LineAge("committed", PLANTED, PLANTED, at_least=True),
        },
        elsewhere={(sides[1].name, minion.minion): replace(other, raises=None)},
        sources=planted_sources(),
    )
    gone = filled(f"gone {PLANTED}", {}, faults=(PLANTED,), outcome="partial")
    session.since = SampleSince(
        session,
        {minion.minion: replace(other, faults=(f"{PLANTED}:1: {PLANTED}",)), gone.minion: gone},
        labels=(PLANTED, PLANTED),
        diagnostics=(replace(fault, code="not-compared"),),
        because={(PLANTED, "lines"): Cited(PLANTED, 1, "base")},
    )
    return session


def planted_sources() -> SampleSources:
    """Return two files, one of which imports the other, with markup in every field."""
    source = SourceFile(PLANTED, PLANTED, PLANTED, is_sls=True, withheld=None)
    imported = ImportedFile(f"other {PLANTED}", PLANTED, PLANTED)
    other = SourceFile(imported.file, PLANTED, f"other {PLANTED}", is_sls=False, withheld=None)
    kinds: tuple[Asked, ...] = ("grain", "pillar", "option", "function")
    render = FileRender(
        PLANTED,
        PLANTED,
        PLANTED,
        (imported,),
        tuple(SourceRead(kind, PLANTED) for kind in kinds),
        ((PLANTED, 0b10),),
        is_recorded=False,
    )
    lines = (MaskedLine((PLANTED,)), MaskedLine((PLANTED, PLANTED)))
    includes = ((PLANTED, PLANTED, f"more {PLANTED}"),)
    return SampleSources(
        {source: lines, other: lines}, {PLANTED: MinionRenders((render,), includes)}
    )


def planted_ways() -> tuple[AccessPath, ...]:
    """Return a way of each kind, with markup in every field."""
    forged = Forged((PLANTED,), PLANTED)
    position, reads = Position(PLANTED, 1), (GrainReads(PLANTED, (PLANTED,)),)
    return (
        AccessPath(
            "target", PLANTED, PLANTED, PLANTED, position, (PLANTED, PLANTED), forged, reads
        ),
        AccessPath("external pillar", PLANTED),
        AccessPath("inventory", ""),
    )


def write_all(session: SampleBook) -> tuple[dict[str, str], dict[str, str]]:
    """Return the pages, and the files beside them."""
    report = Report(session, page_environment())
    written: dict[str, str] = {}
    beside: dict[str, str] = {}
    pages = list(report.pages)
    for page in pages:  # which grows
        written[page.uri] = report.write(page)
        beside.update(report.beside(page))
        pages += report.further(page)
    return written, beside


@pytest.mark.parametrize(
    "session",
    [make_session(), make_fleet(), make_large(), SampleBook({}), changed_session({}, {})],
    ids=["one", "three", "large", "none", "none before"],
)
def test_every_link_leads_to_a_page_and_a_place_on_it(session: SampleBook) -> None:
    written, beside = write_all(session)
    pages = {uri: Reader(html) for uri, html in written.items()}
    for uri, page in pages.items():
        assert len(set(page.ids)) == len(page.ids)
        for link in (*page.links, *page.scripts):
            address, _, fragment = link.partition("#")
            address = address.partition("?")[0]
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(uri), unquote(address)))
                if address
                else uri
            )
            assert target in pages or target in beside, (uri, link)
            assert not fragment or fragment in pages[target].ids, (uri, link)


def test_fragments_stand_on_their_own() -> None:
    written, _ = write_all(make_fleet())
    for uri, html in written.items():
        assert html.strip().startswith('<div class="pillarbook'), uri
        assert html.strip().endswith("</div>"), uri
        assert is_safe(Reader(html)), uri
        assert ("<h1>" in html) == (uri != "index.html")


def test_planted_markup_stays_text() -> None:
    written, _ = write_all(make_planted())
    for uri, html in written.items():
        page = Reader(html)
        assert is_safe(page), uri
        if uri.startswith("guide/"):  # it holds no data
            continue
        assert page.text.count("<script>alert(1)</script>") >= 2, uri
        assert page.text.count("{{ 7*7 }}") >= 2, uri
