"""Which files have a page, and whose text is never shown."""

from pathlib import Path

from tests.support.fleets import write_files

from pillarbook.inventory.settings import Settings
from pillarbook.redact.source_files import JudgedLines, SourceFile
from pillarbook.report.addresses import source_address
from pillarbook.session import RunOptions, open_session

FILES = {
    "master": "pillar_roots: {base: [pillar], prod: [prod, pillar]}\n",
    "minions.yml": "minions: {web1: {}}\n",
    "pillar/top.sls": "base:\n  '*': [web, code, sealed, opened, maps]\n",
    "pillar/web/init.sls": "port: 80\n",
    "pillar/web/tls.sls": "tls: true\n",
    "pillar/code.sls": "#!py\ndef run():\n    return {}\n",
    "pillar/pipe.sls": "#!mako|yaml\na: 1\n",
    "pillar/sealed.sls": "-----BEGIN PGP MESSAGE-----\n\nabcd\n-----END PGP MESSAGE-----\n",
    "pillar/opened.sls": "#!gpg|yaml\na: 1\n",
    "pillar/maps.sls": "{% import_yaml 'sites.yaml' as sites %}\nsite: {{ sites.ams }}\n",
    "pillar/sites.yaml": "ams: Amsterdam\n",
    "pillar/unread.yaml": "a: 1\n",
    "pillar/binary.sls": "a: \0\n",
    "prod/web/tls.sls": "tls: false\n",
}


def find_files(
    folder: Path, allow: tuple[Path, ...] = (), source: str = "masked"
) -> dict[str, SourceFile]:
    """Return the files that have a page, by the names of their pages."""
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        source=source,
    )
    with open_session(settings, RunOptions(allow=allow)) as session:
        sources = session.report.sources
        session.report.pillar("web1")
        renders = sources.renders("web1").renders
        imported = [sources.find_imported(one) for render in renders for one in render.imports]
        found = [*sources.files(), *(one for one in imported if one is not None)]
        # Asked of all of them: the text of one that is withheld is not even read.
        shown = dict(sources.mask({one.file: JudgedLines() for one in found if not one.withheld}))
        assert shown.keys() == {one.file for one in found if not one.withheld}
    return {source_address(one, ""): one for one in found}


def test_each_sls_and_each_imported_file_has_a_page(tmp_path: Path) -> None:
    found = find_files(write_files(tmp_path, FILES))
    assert {address.split("~")[0] for address in found} == {
        "sls/base/top.html",
        "sls/base/web.html",
        "sls/base/web.tls.html",
        "sls/base/code.html",
        "sls/base/pipe.html",
        "sls/base/sealed.html",
        "sls/base/opened.html",
        "sls/base/maps.html",
        "sls/base/binary.html",
        "sls/base/sites-yaml",
        "sls/prod/web.tls.html",
    }


def test_text_of_code_and_of_sealed_files_is_withheld(tmp_path: Path) -> None:
    found = find_files(write_files(tmp_path, FILES))
    withheld = {one.name: one.withheld for one in found.values() if one.withheld}
    assert withheld == {
        "code": "it is code",
        "pipe": "it is code",
        "sealed": "it is encrypted as a whole",
        "opened": "it is encrypted as a whole",
        "binary": "it is not text",
    }


def test_text_of_declarations_is_withheld(tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base:\n  '*': [maps]\n",
        "pillar/maps.sls": "{% import_yaml 'minions.yml' as one %}{% import_text 'master' as m %}a: 1\n",
        "pillar/minions.yml": "minions: {web1: {}}\n",
        "pillar/master": "pillar_roots: {base: [.]}\n",
    }
    folder = write_files(tmp_path, files) / "pillar"
    withheld = {one.name: one.withheld for one in find_files(folder).values()}
    assert withheld["minions.yml"] == withheld["master"] == "it is a file of the configuration"
    assert withheld["maps"] is None


def test_text_outside_of_the_repository_is_withheld(tmp_path: Path) -> None:
    write_files(tmp_path / "elsewhere", {"far.sls": "a: 1\n", "linked.sls": "b: 1\n"})
    folder = write_files(
        tmp_path / "here", {**FILES, "master": "pillar_roots: {base: [pillar, ../elsewhere]}\n"}
    )
    (folder / ".git").mkdir()
    (folder / "pillar/link.sls").symlink_to(tmp_path / "elsewhere/linked.sls")
    found = {one.name: one for one in find_files(folder, (tmp_path / "elsewhere",)).values()}
    assert found["far"].withheld == found["link"].withheld == "it is outside of the repository"
    assert found["web"].withheld is None


def test_no_text_is_shown_if_the_configuration_says_so(tmp_path: Path) -> None:
    found = find_files(write_files(tmp_path, FILES), source="none")
    assert all(one.withheld for one in found.values())
