"""Which folders a site may take."""

from pathlib import Path

import pytest
from tests.publish.built import assert_nothing_left, configure, run

from pillarbook.publish.site_folder import MARK, Kept, PublishError, begin_site, refuse_target

SITE = ("index.html", "404.html")
FOLDERS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "hidden entries only": (".git", ".nojekyll"),
    "a marked site": (MARK, "whatever.html"),
    "an older site": SITE,
    "a front page": ("index.html",),
    "an older site with a site map": ("index.html", "sitemap.xml", "css/theme.css"),
}
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "a text": (("notes.txt",), r"contains notes\.txt and is not an earlier site"),
    "folders only": (("web/init.sls",), "contains web and is not an earlier site"),
    "a pillar": ((*SITE, "top.sls"), r"contains .*top\.sls"),
    "a pillar in a marked site": ((MARK, "top.sls"), r"contains .*top\.sls"),
    "hand-written pages": ((*SITE, "README.md"), r"contains .*README\.md"),
}


def fill(folder: Path, names: tuple[str, ...]) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    return folder


@pytest.mark.parametrize("names", FOLDERS.values(), ids=FOLDERS)
def test_an_empty_folder_and_an_earlier_site_are_taken(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    refuse_target(fill(tmp_path / "site", names), Kept())


@pytest.mark.parametrize(("names", "match"), REFUSED.values(), ids=REFUSED)
def test_a_folder_that_holds_something_else_is_refused(
    tmp_path: Path, names: tuple[str, ...], match: str
) -> None:
    with pytest.raises(PublishError, match=match):
        refuse_target(fill(tmp_path / "site", names), Kept())


def test_a_mark_makes_a_site(tmp_path: Path) -> None:
    folder = fill(tmp_path / "site", ("other.html",))
    begin_site(folder)
    refuse_target(folder, Kept())


@pytest.mark.parametrize("source", ["site/minions.yml", "site/deep/master", "site"])
def test_what_the_site_is_made_of_is_not_replaced(tmp_path: Path, source: str) -> None:
    kept = Kept(sources=frozenset({tmp_path / "other", tmp_path / source}))
    with pytest.raises(PublishError, match="which a new site would replace"):
        refuse_target(tmp_path / "site", kept)


@pytest.mark.parametrize("target", ["pillar", "pillar/site", "pillar/a/b"])
def test_no_site_lies_in_what_it_is_made_from(tmp_path: Path, target: str) -> None:
    kept = Kept(folders=frozenset({tmp_path / "pillar"}))
    with pytest.raises(PublishError, match="a source of the report"):
        refuse_target(tmp_path / target, kept)


TARGETS = (
    "pillar",
    "pillar/new",
    "states",
    "states/deep/new",
    ".",
    ".git",
    ".git/new",
    "gpgkeys",
    "gpgkeys/new",
    "master.d",
    "master.d/new",
    "grains",
    "grains/new",
    "environments/prod",
    "pages/new",
    "work",
    "parent",
)


@pytest.fixture
def fleet(tree: Path) -> Path:
    """Return a tree with something in every place that a report is made from."""
    for name in (
        "pillar/web/init.sls",
        "states/web/init.sls",
        ".git/HEAD",
        "gpgkeys/pubring.kbx",
        "master.d/extra.conf",
        "grains/a.json",
        "environments/prod/pillar/top.sls",
        "work/notes.txt",
        "parent/child/notes.txt",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("{}")
    (tree / "master").write_text(
        "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\ninclude: master.d/*.conf\n"
    )
    (tree / "minions.yml").write_text("minions: {a: {grains: grains/a.json}}\n")
    configure(
        tree,
        "      environments: [{prod: {pillar_roots: {base: [environments/prod/pillar]}}}]",
    )
    return tree


def everything(tree: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}


@pytest.mark.sample(12)
@pytest.mark.parametrize("by_option", [False, True], ids=["site_dir", "--site-dir"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_build_destroys_nothing(
    fleet: Path, target: str, by_option: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if not by_option:
        with (fleet / "mkdocs.yml").open("a") as file:
            file.write(f"site_dir: {target}\n")
    before = everything(fleet)
    assert run(fleet, site_dir=fleet / target if by_option else None) == 1
    assert everything(fleet) == before
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_pillar_root_around_all_of_it_is_open_to_a_site(fleet: Path) -> None:
    (fleet / "master").write_text("pillar_roots: {base: [.]}\n")
    assert run(fleet) == 0
    assert (fleet / "site/minions/index.html").is_file()


def test_a_build_marks_its_site_and_replaces_it(tree: Path) -> None:
    assert run(tree, site_dir=tree / "public") == 0
    assert (tree / "public" / MARK).is_file()
    (tree / "public/404.html").unlink()
    assert run(tree, site_dir=tree / "public") == 0
    assert_nothing_left(tree)
