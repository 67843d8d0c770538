"""Sections that many minions share: each has a page, and nothing is lost or shown twice."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.trees import DrawnFleet, fleets
from tests.publish.test_build_jobs import CONFIGURATION, OPTIONS, build, check_law
from tests.session.test_written_json import with_secrets
from tests.support.fleets import write_drawn, write_files
from tests.support.leaky import files_of
from tests.support.tiers import fewer

from pillarbook.cli.main import run
from pillarbook.report import page_parts

SHARED = CONFIGURATION.replace("minions.yml}}", "minions.yml, pages: {{sections: shared}}}}")
TREE: Mapping[str, str] = {
    "fleet/master": "pillar_roots: {base: [pillar], prod: [prod, pillar]}\n",
    "fleet/minions.yml": "minions:\n"
    + "".join(f"  web{number}: {{}}\n" for number in range(1, 7))
    + "  db1: {pillarenv: base}\n",
    "fleet/pillar/top.sls": "base: {'*': [a], 'web*': [users]}\n",
    "fleet/prod/top.sls": "prod: {'*': [a]}\n",
    "fleet/pillar/a.sls": "own: {id: {{ grains.id }}, port: 1}\nsame: {deep: {x: 1, y: 2}}\n",
    "fleet/pillar/users.sls": "users:\n"
    + "".join(f"  user{n}: {{uid: {n}, password: hT5jKw8nBv3c}}\n" for n in range(9)),
    "fleet/prod/a.sls": "own: {id: {{ grains.id }}, port: 2}\nsame: {deep: {x: 3, y: 2}}\n",
    "pages/index.md": "# Front\n",
}
ROW = re.compile(r"<tr[ >].*")
ELSEWHERE = re.compile(r'(?:<a id=\S+\.\*|<th colspan=\d><a) href="\.\./(sections/[^"#]+)')
"""In a row: the page with the rows in whose place it is."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two minions share a section of any size."""
    monkeypatch.setattr(page_parts, "MIN_LENGTH", 1)
    monkeypatch.setattr("pillarbook.publish.minion_parts.MIN_MINIONS", 2)


def check_rows(whole: Mapping[str, bytes], shared: Mapping[str, bytes]) -> int:
    """Check that pages and the sections that they lead to have the rows of whole pages.

    Returns:
        The number of sections.
    """
    sections = {name for name in shared if name.startswith("sections/")}
    more = {name for name in shared.keys() - whole.keys() if not name.startswith("groups/")}
    assert more == sections  # they may name further groups
    for name in whole:
        if not re.fullmatch(r"minions/(?!index)[^~]*\.html", name):
            continue
        page = shared[name].decode()
        rows: list[str] = []
        for row in ROW.findall(page):
            led = ELSEWHERE.search(row)
            if led is not None:
                rows += ROW.findall(shared[led[1]].decode().partition("</thead>")[2])
            else:
                rows.append(re.sub(r"\.\./sections/[^#\"]+(?=#)", "", row))
        assert sorted(rows) == sorted(ROW.findall(whole[name].decode())), name
    return len(sections)


def test_the_pages_of_sections_have_what_minions_share(tmp_path: Path, small: None) -> None:
    write_files(tmp_path, TREE)
    whole = check_law(tmp_path, "fleet")
    shared = check_law(tmp_path, "fleet", SHARED)
    assert check_rows(whole, shared) == 3
    users = next(name for name in shared if name.startswith("sections/users-"))
    assert b"The same for all 6 of " in shared[users]
    assert b"<code>web*</code>" in shared[users]
    assert b"hT5jKw8nBv3c" not in b"".join(shared.values())


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@fewer(5)
@given(fleet=fleets())
def test_a_drawn_fleet_loses_nothing(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "fleet").mkdir()
        write_drawn(place / "fleet", with_secrets(fleet))
        write_files(
            place, {"mkdocs.yml": CONFIGURATION.format("fleet"), "pages/index.md": "# Front"}
        )
        whole = build(place, 1, OPTIONS)
        check_rows(whole, check_law(place, "fleet", SHARED))


@pytest.mark.slow
def test_few_minions_share_nothing(tmp_path: Path) -> None:
    minions = TREE["fleet/minions.yml"].replace("  web5: {}\n", "").replace("  web6: {}\n", "")
    write_files(tmp_path, {**TREE, "fleet/minions.yml": minions})
    shared = check_law(tmp_path, "fleet", SHARED)
    assert [name for name in shared if name.startswith("sections/")] == []
    assert b"<tr id=k-users.user8.password>" in shared["minions/web1.html"]


def test_all_links_have_a_target(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_files(tmp_path, {**TREE, "mkdocs.yml": SHARED.format("fleet")}))
    assert run(["build", "--strict"]) == 0
    page = files_of(tmp_path / "site")["minions/web1.html"]
    assert b'href="#k-users.user0' not in page  # of the diagnostics
    assert b".html#k-users.user0.password" in page
