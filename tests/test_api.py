"""What other programs may import, and what it gives them."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.fleets import write_files

import pillarbook
from pillarbook import PillarbookError, PillarSession, Redacted, RunOptions, Settings, open_session
from pillarbook.model import format_path

ROOT = Path(__file__).parents[1]
NAMES = {
    "Change",
    "Diagnostic",
    "PillarSession",
    "PillarbookError",
    "Redacted",
    "RedactedLeaf",
    "RedactedOrigin",
    "RedactedPillar",
    "RunOptions",
    "Settings",
    "Severity",
    "open_session",
}
WEB = "web1.ams.teashop.example"
FILES = {
    "mkdocs.yml": (
        "site_name: x\nplugins:\n  - pillarbook:\n      master: master\n"
        "      inventory: minions.yml\n      environments: [base, test]\n"
    ),
    "master": "pillar_roots: {base: [pillar], test: [test]}\n",
    "minions.yml": (
        "defaults: {pillarenv: base}\nminions:\n  a: {grains: {role: web}}\n  b: {}\n  broken: {}\n  c.example.com: {}\n  faulty: {}\n"
    ),
    "pillar/top.sls": (
        "{% if grains.id == 'broken' %}no mapping{% else %}\n"
        "base:\n  '*': [common]\n  a: [own]\n  b: [secret]\n  c.*: [own]\n  faulty: [faulty]\n"
        "{% endif %}\n"
    ),
    "pillar/common.sls": "port: 80\nlist: [{name: x}, y]\n'with:colon': 1\n1: {2: three}\n",
    "pillar/own.sls": "port: 8080\ncopy: correct horse battery\n",
    "pillar/secret.sls": "password: correct horse battery\n",
    "pillar/faulty.sls": "own: {{ nothing.at.all }}\n",
    "test/top.sls": "test:\n  '*': [common]\n",
    "test/common.sls": "port: 81\ntoken: s3cret-of-the-test-environment\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


@pytest.fixture
def session(folder: Path) -> Iterator[PillarSession]:
    with open_session(folder / "mkdocs.yml") as opened:
        yield opened


@pytest.fixture(scope="module")
def example() -> Iterator[PillarSession]:
    with open_session(ROOT / "mkdocs.yml") as opened:
        yield opened


def test_names_are_those_that_programs_rely_on() -> None:
    assert set(pillarbook.__all__) == NAMES
    assert importlib.import_module("pillarbook.api").__all__ == pillarbook.__all__
    assert set(dir(pillarbook)) >= NAMES


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_book'"):
        getattr(pillarbook, "open_book")  # noqa: B009 (type checkers know that it is missing)


def test_import_loads_nothing_else() -> None:
    """The time of an import is that of the modules which it loads: here one."""
    code = "import sys; known = set(sys.modules); import pillarbook; print(*set(sys.modules)-known)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pillarbook"]


def test_every_value_is_found_by_its_path(example: PillarSession) -> None:
    pillar = example.compile(WEB)
    assert pillar.leaves
    for leaf in pillar.leaves:
        path = format_path(leaf.path)
        assert pillar.get(path) == leaf.value
        assert leaf in pillar.leaves_below(path)


def test_lookup_reads_paths_as_the_commands_do(session: PillarSession) -> None:
    pillar = session.compile("a")
    assert pillar.get("list:0:name") == "x"
    assert pillar.get("list:0") == {"name": "x"}
    assert pillar.get("list") == [{"name": "x"}, "y"]
    assert pillar.get("with:colon") == 1
    assert pillar.get("1:2") == "three"
    assert pillar.get("port:none") is None
    assert pillar.get("none", default=5) == 5
    assert pillar.get("") == pillar.data
    assert [leaf.path for leaf in pillar.leaves_below("list")] == [("list", 0, "name"), ("list", 1)]


def test_origins_tell_what_was_overridden(session: PillarSession) -> None:
    (port,) = session.compile("a").leaves_below("port")
    assert [(one.file, one.line, one.value) for one in port.origins] == [
        ("pillar/common.sls", 1, 80),
        ("pillar/own.sls", 1, 8080),
    ]


def test_a_secret_of_one_minion_is_redacted_on_all(session: PillarSession) -> None:
    assert isinstance(session.compile("a").get("copy"), Redacted)
    assert "correct horse" not in repr([session.compile(minion) for minion in session.minions()])


def test_secrets_of_a_large_fleet_are_redacted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every minion of a large fleet is compiled first; those that were asked for count."""
    monkeypatch.setattr("pillarbook.session.session.LARGE_FLEET", 1)
    with open_session(folder / "mkdocs.yml") as session:
        assert isinstance(session.compile("b").get("password"), Redacted)
        assert isinstance(session.compile("a").get("copy"), Redacted)


def test_minions_are_chosen_by_globs(session: PillarSession) -> None:
    assert session.minions() == ("a", "b", "broken", "c.example.com", "faulty")
    assert session.minions("b*", "a") == ("a", "b", "broken")
    assert session.grains("a") == {"role": "web", "id": "a"}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda one: one.minions("a", "web*"), "no declared minion matches 'web*'"),
        (lambda one: one.compile("c"), "'c'; did you mean 'c.example.com'?"),
        (lambda one: one.grains("c"), "'c'; did you mean 'c.example.com'?"),
        (lambda one: one.compare("a", "c"), "'c'; did you mean 'c.example.com'?"),
        (lambda one: one.compile("a", "tset"), "environment matches 'tset'; did you mean 'test'?"),
        (lambda one: one.compile("broken").get("port"), "pillar of 'broken' has errors: "),
        (lambda one: one.compile("faulty").get("own", 1), "has errors: pillar/faulty.sls:1: "),
        (lambda one: one.compare("broken", "a"), "pillar of 'broken' has errors: "),
    ],
    ids=range(8),
)
def test_what_is_not_there_is_an_error(session: PillarSession, ask: object, message: str) -> None:
    assert callable(ask)
    with pytest.raises(PillarbookError) as caught:
        ask(session)
    assert message in str(caught.value)


def test_a_pillar_with_errors_has_its_other_values(session: PillarSession) -> None:
    pillar = session.compile("faulty")
    assert (pillar.outcome, pillar.get("port")) == ("partial", 80)


def test_missing_configuration_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PillarbookError, match=r"mkdocs\.yml"):
        open_session(tmp_path / "mkdocs.yml")


def test_a_configuration_that_is_a_link_out_is_not_read(folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "repository"
    (tree / ".git").mkdir(parents=True)
    (tree / "mkdocs.yml").symlink_to(folder / "mkdocs.yml")
    for name in ("master", "minions.yml", "pillar", "test"):
        (tree / name).symlink_to(folder / name)
    with pytest.raises(PillarbookError, match="a link that leads out of the repository"):
        open_session(tree / "mkdocs.yml")
    allowed = RunOptions(allow=(folder,))
    with open_session(tree / "mkdocs.yml", allowed) as opened:
        assert opened.minions("a") == ("a",)


def test_a_session_opens_over_settings(folder: Path) -> None:
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    with open_session(settings) as session:
        assert session.compile("a").get("port") == 8080


def test_pillars_of_two_minions_are_compared(session: PillarSession) -> None:
    assert session.compare("a", "a") == ()
    assert session.compare("a", "c.example.com") == ()
    changes = session.compare("b", "a")
    assert [(one.kind, one.path) for one in changes] == [
        ("removed", ("password",)),
        ("added", ("copy",)),
        ("changed", ("port",)),
    ]


def test_pillars_of_two_environments_are_compared(session: PillarSession) -> None:
    assert session.environments() == ("base", "test")
    changes = session.compare(("b", "base"), ("b", "test"))
    assert ("changed", ("port",)) in [(one.kind, one.path) for one in changes]
    assert "s3cret" not in repr(changes)
    assert session.compile("b", "test").get("port") == 81


def test_diagnostics_are_those_of_check(session: PillarSession) -> None:
    found = session.diagnostics()
    assert "broken" in {minion for one in found for minion in one.minions}
    assert [one.severity for one in found] == sorted((one.severity for one in found), reverse=True)
    assert session.diagnostics() == found
