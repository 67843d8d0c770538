"""Who can read what, as the site says it, against the pillar of every minion."""

import html
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.access.fleets import draw_fleet
from tests.report.environment import page_environment
from tests.support.fleets import ROOT

from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.model import leaves, plain, to_tagged
from pillarbook.redact import Redacted
from pillarbook.report.report import Report
from pillarbook.session import RunOptions, open_session

Read = tuple[str, str]
"""A key path as JSON, and a value."""
OPTIONS = RunOptions(environments=False, checks=False)


def read_by_all(settings: Settings) -> dict[str, set[Read]]:
    """Return the secrets of each minion, by path and clear value, from its compiled pillar."""
    found = {}
    with open_session(settings, OPTIONS) as session:
        for minion in session.fleet.minions:
            compiled = session.compiler.compile(minion)
            hidden = {
                leaf.path
                for leaf in session.shown.redact(compiled).leaves
                if isinstance(leaf.value, Redacted)
            }
            found[minion] = {
                (json.dumps(to_tagged(list(path))), repr(plain(node)))
                for path, node, _ in leaves(compiled.tree)
                if path in hidden
            }
    return found


def write_site(settings: Settings) -> tuple[str, Any]:
    """Return the page, and the JSON beside it."""
    with open_session(settings, OPTIONS) as session:
        report = Report(session.report, page_environment())
        for page in report.pages:
            text = report.write(page)
            if page.kind == "secrets":
                return text, json.loads(report.beside(page)["secrets.json"])
    raise AssertionError


def read_of(told: Any) -> dict[str, set[Read]]:
    """Return what the JSON says of each minion, by path and token."""
    found: dict[str, set[Read]] = {}
    for readers in told["readers"]:
        for minion in readers["minions"]:
            assert minion not in found
            found[minion] = {
                (json.dumps(secret["path"]), secret["token"])
                for secret in map(told["secrets"].__getitem__, readers["secrets"])
            }
    return found


def hold(brute: Mapping[str, set[Read]], told: Mapping[str, set[Read]]) -> None:
    """Hold both against each other: a token is a value, under whatever path."""
    assert set(told) == {minion for minion, secrets in brute.items() if secrets}
    values: dict[str, set[str]] = {}
    for minion, secrets in told.items():
        assert {path for path, _ in secrets} == {path for path, _ in brute[minion]}
        clear = dict(brute[minion])
        for path, token in secrets:
            values.setdefault(token, set()).add(clear[path])
    assert all(len(clear) == 1 for clear in values.values())
    assert len({next(iter(clear)) for clear in values.values()}) == len(values)


def check_json(told: Any) -> None:
    """Check that what the JSON says twice agrees."""
    counts = [len(readers["minions"]) for readers in told["readers"]]
    assert counts == sorted(counts, reverse=True)
    for number, secret in enumerate(told["secrets"]):
        groups = [at for at, one in enumerate(told["readers"]) if number in one["secrets"]]
        assert secret["readers"] == groups
        assert secret["minions"] == sum(counts[at] for at in groups)
        assert secret["minions"] == sum(one["minions"] for one in secret["sources"])
        assert all(way["minions"] <= secret["minions"] for way in secret["ways"])


CELL = re.compile(r'<td(?: class="(yes)"[^>]*)?>(yes|)</td>')
ROW = re.compile(r'<tr><th scope="row"><a href="#(readers-\d+)">.*?</th>(.*?)</tr>')
MEMBERS = re.compile(r'<h3 id="group-(\d+)">.*?</h3>\n<p class="members">(.*?)</p>', re.DOTALL)
SECTION = re.compile(r'<tr id="(readers-\d+)(?:~\d+)?".*?</tbody>', re.DOTALL)
KEY = re.compile(r'<tr><th scope="row">(.*?)</th><td>.*?</td><td>(.*?)</td>')


def check_matrix(page: str, told: Mapping[str, set[Read]]) -> int:
    """Check each cell of the matrix; return how many there are."""
    groups = [
        [html.unescape(one) for one in re.findall(r"<a [^>]*>(.*?)</a>", links)]
        for _, links in MEMBERS.findall(page)
    ]
    sections: dict[str, list[Read]] = {}
    for match in SECTION.finditer(page):
        keys = [
            (
                html.unescape(re.sub(r"<[^>]*>", "", key)),
                "".join(re.findall(r"^<code>(.*?)</code>", value)),
            )
            for key, value in KEY.findall(match.group())
        ]
        sections.setdefault(match[1], []).extend(keys)
    seen = 0
    for anchor, cells in ROW.findall(page):
        for (css, word), minions in zip(CELL.findall(cells), groups, strict=True):
            assert css == word
            for minion in minions:
                own = {
                    (":".join(map(str, json.loads(path))), token) for path, token in told[minion]
                }
                own |= {(path, "") for path, _ in own}
                assert [key in own for key in sections[anchor]] == [word == "yes"] * len(
                    sections[anchor]
                ), (anchor, minion)
            seen += 1
    return seen


def check_site(settings: Settings) -> None:
    page, told = write_site(settings)
    read = read_of(told)
    hold(read_by_all(settings), read)
    check_json(told)
    assert check_matrix(page, read) >= len(told["readers"][:16])


@pytest.mark.slow
def test_the_example() -> None:
    check_site(load_settings(ROOT / "mkdocs.yml"))


@pytest.mark.slow
def test_a_generated_fleet(tmp_path: Path) -> None:
    words = [sys.executable, str(ROOT / "benchmarks/fleet.py"), str(tmp_path / "fleet")]
    subprocess.run([*words, "--minions", "120"], check=True, capture_output=True)
    folder = tmp_path / "fleet"
    check_site(
        Settings(master=folder / "master", inventory=(folder / "minions.yml",), folder=folder)
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(8))
def test_a_drawn_fleet(seed: int, tmp_path: Path) -> None:
    check_site(draw_fleet(seed).write(tmp_path))
