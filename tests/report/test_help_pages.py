"""The pages that help a reader, and who links to them."""

import re
from dataclasses import replace

import pytest
from tests.diagnostics.formats.found import diagnose
from tests.report.environment import page_environment
from tests.report.sample import make_session

from pillarbook.report.help_pages import HelpPages
from pillarbook.report.report import Report

TEMPLATES = page_environment()
FOUND = (diagnose(code="missing-sls"), diagnose(code="missing-root"), diagnose(code="own"))


def write(pages: HelpPages) -> dict[str, str]:
    """Return the report of a fleet with findings, by address."""
    report = Report(replace(make_session(), faults=FOUND), TEMPLATES, pages)
    written = {}
    for page in report.pages:
        written[page.uri] = report.write(page)
        written |= {one.uri: report.write(one) for one in report.further(page)}
    return written


def helping(written: dict[str, str]) -> set[str]:
    return {address for address in written if address.startswith(("guide/", "rules/"))}


def test_a_site_without_pages_of_its_own_gets_the_guide_and_each_rule_that_is_reported() -> None:
    written = write(HelpPages(TEMPLATES))
    assert helping(written) == {
        "guide/reading.html",
        "guide/words.html",
        "rules/missing-root.html",
        "rules/missing-sls.html",
    }
    assert 'href="rules/missing-sls.html"' in written["diagnostics.html"]
    assert 'href="guide/reading.html"' in written["index.html"]
    assert "<h1>missing-sls</h1>" in written["rules/missing-sls.html"]
    assert "<pre><code" in written["rules/missing-sls.html"]


def test_every_link_of_the_pages_leads_to_one_of_them() -> None:
    written = write(HelpPages(TEMPLATES))
    for address in helping(written):
        for target in re.findall(r'href="([^"]*)"', written[address]):
            page, _, anchor = target.partition("#")
            text = written[page.removeprefix("../") or address]
            assert not anchor or f'id="{anchor}"' in text, (address, target)


def test_what_the_sites_own_pages_explain_is_left_to_them() -> None:
    own = {"rules/missing-root": "rules/ours.html", "guide/reading": "guide/reading.html"}
    written = write(HelpPages(TEMPLATES, own))
    assert helping(written) == {"guide/words.html", "rules/missing-sls.html"}
    for address in ("rules/missing-sls.html", "rules/ours.html"):
        assert f'href="{address}"' in written["diagnostics.html"]
    assert 'href="guide/reading.html"' in written["index.html"]


def test_without_the_guide_only_pages_of_the_sites_own_are_linked() -> None:
    own = {"rules/missing-root": "rules/ours.html"}
    written = write(HelpPages(TEMPLATES, own, complete=False))
    assert helping(written) == set()
    assert 'href="rules/ours.html"' in written["diagnostics.html"]
    assert 'href="rules/missing-sls.html"' not in written["diagnostics.html"]
    assert "How to read" not in written["index.html"]


def test_a_second_build_converts_no_text_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(HelpPages(TEMPLATES))
    monkeypatch.delattr("markdown.Markdown")
    assert write(HelpPages(TEMPLATES)) == first
