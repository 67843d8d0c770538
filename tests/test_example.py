"""The bundled example: Salt's answers, and a site that tells none of its secrets."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.built_sites import BuiltSite
from tests.support.invoked import print_of

from pillarbook.diagnostics import Severity
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.redact import Redacted, RedactedPillar
from pillarbook.report.slug import slug
from pillarbook.session import RunOptions, Session, open_session

ROOT = Path(__file__).parent.parent
CONFIGURATION = ROOT / "mkdocs.yml"
ANSWERS = ROOT / "tests" / "data" / "example-expected.json"
LOWSTATES = ROOT / "tests" / "data" / "example-lowstate.json"
ARMOR_LINE = re.compile(r"^\s*([A-Za-z0-9+/=]{40,})\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load_settings(CONFIGURATION)


@pytest.fixture(scope="module")
def session(settings: Settings) -> Iterator[Session]:
    with open_session(settings) as session:
        yield session


@pytest.fixture(scope="module")
def site(example_site: BuiltSite) -> Path:
    return example_site.folder


def test_pillar_is_what_salt_compiles() -> None:
    words = ["compile", "-f", str(CONFIGURATION), "--reveal"]
    got, want = json.loads(print_of(words)), json.loads(ANSWERS.read_text())
    assert json.dumps(got) == json.dumps(want)  # key order counts


@pytest.mark.parametrize(
    "ways",
    [[], pytest.param(["--no-memo"], marks=pytest.mark.slow)],
    ids=["memo", "no-memo"],
)
def test_states_are_what_salt_compiles(ways: list[str]) -> None:
    """Salt was asked with the inventory's defaults in each minion and the master's `jinja_sls_env`."""
    words = ["compile", "-f", str(CONFIGURATION), "--lowstate", "--reveal", *ways]
    assert json.dumps(json.loads(print_of(words))) == json.dumps(json.loads(LOWSTATES.read_text()))


def test_a_saved_result_has_the_same_bytes_without_memo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "one key for both, of enough letters")
    (tmp_path / "master").write_text("pillar_roots: {base: [.]}")
    (tmp_path / "top.sls").write_text("base: {'*': [name]}")
    # If the file is not rendered for each minion, some of them share the value of `kind`.
    printed = "kind: {% if grains.id < 'm5' %}low{% else %}high{% endif %}\nname: {{ grains.id }}\n"
    (tmp_path / "name.sls").write_text(printed)
    named = {f"m{number:02}": {"grains": {"id": f"m{number:02}"}} for number in range(60)}
    (tmp_path / "minions.yml").write_text(json.dumps({"minions": named}))
    given = ("--master", str(tmp_path / "master"), "--inventory", str(tmp_path / "minions.yml"))
    words = ["compile", *given, "--format", "result"]
    assert print_of(words) == print_of([*words, "--no-memo"])


def test_outcomes_are_the_planned_ones(session: Session) -> None:
    outcomes = {minion: session.report.pillar(minion).outcome for minion in session.fleet.minions}
    errors = {one.code for one in session.shown.diagnostics if one.severity is Severity.ERROR}
    assert [minion.split(".")[0] for minion, word in outcomes.items() if word != "ok"] == [
        "db2",
        "ci1",
        "backup1",
    ]
    assert errors == {"missing-grain", "missing-sls", "yaml-error"}


def test_every_minion_has_a_page(session: Session, site: Path) -> None:
    slugs = list(map(slug, session.fleet.minions))
    pages = {f"{one}.html" for one in slugs} | {f"{one}~states.html" for one in slugs}
    assert {file.name for file in (site / "minions").glob("*.html")} == {*pages, "index.html"}


def test_an_sls_in_python_is_off_and_says_so(site: Path) -> None:
    page = html.unescape((site / "minions" / "ci1.hel.teashop.example.html").read_text())
    assert "SLS 'ci.matrix' does not render: The renderer 'py' runs code of the tree" in page


def test_an_sls_in_python_runs_where_somebody_says_so() -> None:
    words = ["compile", "-f", str(CONFIGURATION), "--minion", "ci1*", "--pillarenv", "staging"]
    (pillar,) = json.loads(print_of([*words, "--python"])).values()
    assert [job["jobs"] for job in pillar["ci"]["matrix"]] == [2, 2, 2]


def test_external_pillars_give_to_few(session: Session) -> None:
    given = {
        minion: {path.split("/")[1] for path in _files(session.report.pillar(minion))}
        for minion in session.fleet.minions
    }
    assert sum("stack" in folders for folders in given.values()) == 4
    assert sum("access" in folders for folders in given.values()) == 2


def _files(pillar: RedactedPillar) -> set[str]:
    return {origin.file for leaf in pillar.leaves for origin in leaf.origins}


def test_no_secret_is_in_the_site(settings: Settings, session: Session, site: Path) -> None:
    secrets = _clear_secrets(settings, session) | _ciphertext_lines()
    assert len(secrets) > 30
    published = {file: _readable(file) for file in site.rglob("*") if file.is_file()}
    for file, text in published.items():
        for secret in secrets:
            assert secret not in text, file.name


def _readable(file: Path) -> str:
    text = file.read_bytes().decode("utf-8", "replace")
    return text + html.unescape(text)


def _clear_secrets(settings: Settings, sealed: Session) -> set[str]:
    """Return the clear texts, decrypted, of all that a report redacts."""
    with open_session(settings, RunOptions(reveal=True)) as opened:
        found: set[str] = set()
        for minion in sealed.fleet.minions:
            shown = {leaf.path: leaf for leaf in sealed.report.pillar(minion).leaves}
            for leaf in opened.report.pillar(minion).leaves:  # an SLS that no key opens is not here
                if isinstance(shown[leaf.path].value, Redacted):
                    found.update(_lines(leaf.value))
                for origin, clear in zip(shown[leaf.path].origins, leaf.origins, strict=True):
                    if isinstance(origin.value, Redacted):
                        found.update(_lines(clear.value))
    return found


def _lines(value: Any) -> list[str]:
    return [line for line in str(value).splitlines() if len(line.strip()) >= 4]


def _ciphertext_lines() -> set[str]:
    texts = (file.read_text() for file in (ROOT / "example").rglob("*.sls"))
    return {line for text in texts for line in ARMOR_LINE.findall(text)}


def test_a_key_of_few_minions_does_not_name_the_others(site: Path) -> None:
    pages = [one.read_text() for one in (site / "keys").glob("*.html")]
    assert not any("Not set on all except" in page for page in pages)
