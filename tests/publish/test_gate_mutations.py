"""Each output of a build with its door bypassed: the gate stops it, every time."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from mkdocs.commands import build as mkdocs_build
from mkdocs.contrib.search.search_index import SearchIndex
from tests.support.leaky import SECRET, TREE, files_of, inventory, unmask, write_leaky
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run
from pillarbook.publish.pages import WrittenPage
from pillarbook.publish.run import Build
from pillarbook.redact import SecretStore
from pillarbook.report.addresses import Page, PageKind
from pillarbook.report.report import Report
from pillarbook.session.pillar_texts import PillarTexts
from pillarbook.session.shown_fleet import ShownFleet

Mutate = Callable[[pytest.MonkeyPatch], None]


def wrapping(owner: Any, name: str, change: Callable[..., Any]) -> Mutate:
    """Return what lets a function give something else.

    ``change`` takes what it gives, and its arguments.
    """

    def mutate(monkeypatch: pytest.MonkeyPatch) -> None:
        before = getattr(owner, name)

        def after(*arguments: Any, **named: Any) -> Any:
            return change(before(*arguments, **named), *arguments, **named)

        monkeypatch.setattr(owner, name, after)

    return mutate


def in_page(kind: str) -> Mutate:
    def change(text: str, _report: Report, page: Page) -> str:
        return text + f"<p>{SECRET}</p>" * (page.kind == kind)

    return wrapping(Report, "write", change)


def beside(ending: str) -> Mutate:
    def change(files: Mapping[str, str], *_: Any) -> Mapping[str, str]:
        return {name: text + SECRET * name.endswith(ending) for name, text in files.items()}

    return wrapping(Report, "beside", change)


def in_template(name: str) -> Mutate:
    def change(text: str, template: str, *_: Any, **__: Any) -> str:
        return text + SECRET * (template == name)

    return wrapping(mkdocs_build, "_build_template", change)


def in_file(name: str) -> Mutate:
    def change(_: None, build: Build, *__: Any) -> None:
        file = build.site.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as out:
            out.write(SECRET)

    return wrapping(Build, "write_beside", change)


def reveal_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SecretStore, "token", lambda self, place: str(self.value_of(place)))


def at_the_end(describe: Callable[[], object]) -> Mutate:
    """Return what says something when all secrets are known."""

    def change(text: str, _: Report, page: Page) -> str:
        if page.kind == "home":
            describe()
        return text

    return wrapping(Report, "write", change)


OF_LARGE_FLEETS = {"key", "minion-group", "section"}
"""The kinds of pages that a small fleet does not have; the gate does not know one from another."""
MUTATIONS: dict[str, Mutate] = {
    **{
        f"page: {kind}": in_page(kind) for kind in get_args(PageKind) if kind not in OF_LARGE_FLEETS
    },
    **{
        f"address: {name}": in_file(name)
        for name in (f"{SECRET}.html", f"{SECRET}/a", f"a/{SECRET}")
    },
    **{
        f"beside: {ending}": beside(ending)
        for ending in (
            "b1.json",
            "b1.yaml",
            "--prod.json",
            "s/index.json",
            "report.json",
            "secrets.json",
        )
    },
    **{f"template: {name}": in_template(name) for name in ("404.html", "sitemap.xml")},
    **{
        f"file: {name}": in_file(name)
        for name in (
            "css/theme.css",
            "js/theme.js",
            "img/icon.svg",
            "assets/minions.js",
            ".hidden",
            "x",
        )
    },
    "titles": wrapping(
        WrittenPage, "__init__", lambda _, page, *__: setattr(page, "title", SECRET)
    ),
    "search index": wrapping(SearchIndex, "generate_search_index", lambda text, *_: text + SECRET),
    "search blocks": wrapping(
        Report,
        "write_search",
        lambda files, *_: [(name, f"{text}// {SECRET}") for name, text in files],
    ),
    "tokens": reveal_tokens,
    "masked source": unmask,
    "values": wrapping(PillarTexts, "as_json", lambda text, *_: text + SECRET),
    "YAML": wrapping(PillarTexts, "as_yaml", lambda text, *_: text + SECRET),
    "grains": wrapping(ShownFleet, "grains", lambda data, *_: {**data, "x": SECRET}),
    "log": at_the_end(lambda: logging.getLogger("mkdocs").warning("see %s", SECRET)),
    "own log": at_the_end(
        lambda: logging.getLogger("pillarbook.publish").warning("see %s", SECRET)
    ),
    "strange log": at_the_end(lambda: logging.getLogger("other").warning("see %s", SECRET)),
    "standard error": at_the_end(lambda: click.echo(SECRET, err=True)),
    "standard output": at_the_end(lambda: click.echo(SECRET)),
}
"""What lets the secret into one output."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a fleet with something changed for four minions, each in its own way."""
    minions = inventory({name: {"grains": {"os": "Debian"}} for name in ("a1", "b1", "c1", "d1")})
    folder = write_leaky(tmp_path_factory.mktemp("leaky"), minions_yml=minions)
    (folder / "master").write_text(TREE["master"] + "file_roots: {base: [states]}\n")
    (folder / "states").mkdir()
    (folder / "states/top.sls").write_text("base: {'*': [app]}\n")
    (folder / "states/app.sls").write_text("x: {test.nop: [{v: {{ pillar.motd }}}]}\n")
    commit_all(start(folder))
    (folder / "prod/common.sls").write_text("motd: other {{ grains.id }}\n")
    return folder


@pytest.fixture
def tree(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(made)
    configuration = TREE["mkdocs.yml"] + "      environments: [base, prod]\n"
    configuration += "      revisions: {base: HEAD}\n"
    (made / "mkdocs.yml").write_text(configuration + "site_url: https://example.com/\n")
    return made


@pytest.mark.sample(1)
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_the_gate_stops_what_goes_past_the_door(
    mutation: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tree / "site").mkdir(exist_ok=True)
    (tree / "site/index.html").write_text("the site before")
    before = files_of(tree / "site")
    MUTATIONS[mutation](monkeypatch)
    assert run(["build", *["--history", "history"] * (mutation == "page: history")]) == 3
    out, err = capfd.readouterr()
    assert SECRET not in out + err
    assert "because " in err
    assert "contains the secret of `db:password`" in err
    assert files_of(tree / "site") == before
    assert not (tree / "history").exists()
    assert not [path for path in tree.iterdir() if path.name.startswith(".site")]


FORMS = {
    "key that is a secret": ("tokens: {xsAt6Ppb2DBD2L: bot}\n", "xsAt6Ppb2DBD2L"),
    "token": (f"note: dt0c01.{'A1B2' * 6}.{'C3D4' * 16}\n", f"dt0c01.{'A1B2' * 6}.{'C3D4' * 16}"),
    "login": ("stats: {auth: 'ann:Wintermoth-418'}\n", "ann:Wintermoth-418"),
    "statement": ("sql: alter user a identified by 'Wmoth418x'\n", "identified by 'Wmoth418x'"),
    "command": ("run: sshpass -p Wintermoth418 ssh web1\n", "sshpass -p Wintermoth418"),
    "markup": ("xml: <password>Wintermoth418</password>\n", "<password>Wintermoth418<"),
    "directive": ("user: ann insecure-password Wintermoth418\n", "insecure-password Wintermoth418"),
    "key in hexadecimal": (f"project_key: {'0a1b2c3d4e5f6789' * 4}\n", "0a1b2c3d4e5f6789" * 4),
}
"""A secret of each form in the pillar, and as it stands in a page that was written by hand."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(("pillar", "text"), FORMS.values(), ids=FORMS)
def test_the_gate_knows_each_form(
    pillar: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = write_leaky(tmp_path, pillar__db_sls=pillar, pages__a_txt=f"see {text}\n")
    monkeypatch.chdir(folder)
    assert run(["build"]) == 3
    assert "a.txt contains the secret of " in capfd.readouterr().err
    (folder / "pages/a.txt").unlink()
    assert run(["build"]) == 0
    assert text not in "".join(content.decode("latin-1") for content in site_of(folder))


SOURCES: dict[str, dict[str, str]] = {
    "literal": {
        "pillar__db_sls": f"{{% set wert = '{SECRET}' %}}\ndb: {{password: {{{{ wert }}}}}}\n"
    },
    "default of a lookup": {
        "pillar__db_sls": f"db: {{password: {{{{ pillar.get('x', '{SECRET}') }}}}}}\n"
    },
    "imported YAML": {
        "pillar__db_sls": "{% import_yaml 'data.yaml' as d %}\ndb: {password: {{ d.a.b }}}\n",
        "pillar__data_yaml": f"a: {{b: {SECRET}}}\n",
    },
    "imported JSON": {
        "pillar__db_sls": "{% import_json 'data.json' as d %}\ndb: {password: {{ d.b }}}\n",
        "pillar__data_json": f'{{"b": "{SECRET}"}}\n',
    },
    "imported text": {
        "pillar__db_sls": "{% import_text 'data.txt' as d %}\ndb: {password: {{ d | trim }}}\n",
        "pillar__data_txt": f"{SECRET}\n",
    },
    "imported variable": {
        "pillar__db_sls": "{% from 'data.jinja' import wert %}\ndb: {password: {{ wert }}}\n",
        "pillar__data_jinja": f"{{% set wert = '{SECRET}' %}}\n",
    },
    "literal that nobody reads": {
        "pillar__db_sls": f"{{% set db_password = '{SECRET}' %}}\ndb: {{host: db1}}\n"
    },
    "key of imported data that nobody reads": {
        "pillar__db_sls": "{% import_yaml 'data.yaml' as d %}\ndb: {host: {{ d.host }}}\n",
        "pillar__data_yaml": f"host: db1\npassword: {SECRET}\n",
    },
}
"""Where the text of a secret stands in the sources, whether a minion gets it or not."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("files", SOURCES.values(), ids=SOURCES)
def test_the_gate_stops_what_stands_in_sources(
    files: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = write_leaky(tmp_path, pages__a_txt=f"see {SECRET}\n", **files)
    monkeypatch.chdir(folder)
    assert run(["build"]) == 3
    assert "a.txt contains the secret of " in capfd.readouterr().err
    (folder / "pages/a.txt").unlink()
    assert run(["build"]) == 0
    assert SECRET not in "".join(content.decode("latin-1") for content in site_of(folder))


def site_of(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in (folder / "site").rglob("*") if path.is_file()]


def test_nothing_stops_the_build_that_these_start_from(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["build"]) == 0
    assert SECRET not in "".join(capfd.readouterr())
    site = files_of(tree / "site")
    assert {"404.html", "search/search_index.json", "changes/1.html"} <= set(site)
    assert {"minions/b1.json", "minions/b1.yaml", "environments/base--prod.json"} <= set(site)


@pytest.mark.sample(1)
@pytest.mark.parametrize("fault", [ValueError, OSError, KeyError])
def test_an_error_that_holds_a_secret_is_not_told(
    fault: type[Exception],
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(text: str, _: Report, page: Page) -> str:
        if page.kind == "home":
            raise fault(f"what is {SECRET}?")
        return text

    wrapping(Report, "write", fail)(monkeypatch)
    assert run(["build"]) == 3
    assert SECRET not in "".join(capfd.readouterr())
