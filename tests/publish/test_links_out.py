"""What a site is made from and written to, where links and pipes lead elsewhere."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.publish.built import CONFIGURATION, OLD, assert_nothing_left, configure, run, site_of
from tests.report.sample import SampleBook, make_session

from pillarbook.cli.attempt import attempt
from pillarbook.publish import docs_files
from pillarbook.publish.mkdocs_run import build_site
from pillarbook.publish.replace_site import stage
from pillarbook.session import RunOptions

CANARY = "canary-51f0"


@pytest.fixture
def outside(tree: Path) -> Path:
    """A folder that is not the repository's, with what must not be published in it."""
    folder = tree.parent / f"{tree.name}-outside"
    folder.mkdir()
    (folder / "secret.txt").write_text(CANARY)
    (tree / ".git/hooks").mkdir(parents=True)
    (tree / ".git/config").write_text(CANARY)
    return folder


def build(tree: Path, **options: Any) -> int:
    allow = options.pop("allow", ())
    trust = options.pop("trusted", False)
    opener = options.pop("open_session", lambda _settings: make_session())
    return attempt(
        lambda: build_site(
            tree / "mkdocs.yml",
            open_session=opener,
            options=RunOptions(allow=allow, trust=trust),
            **options,
        )
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def replace_site(tree: Path, target: Path) -> None:
    for path in (tree / "site").iterdir():
        path.unlink()
    (tree / "site").rmdir()
    (tree / "site").symlink_to(target)


def test_a_link_in_the_place_of_the_site_is_not_followed(
    tree: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_site(tree, outside / "new")
    assert run(tree) == 1
    said = capsys.readouterr().err
    assert f"{tree}/site is a link that leads out of the repository, to {outside}/new" in said
    assert names(outside) == ["secret.txt"]
    assert build(tree, allow=(outside,)) == 0
    assert (outside / "new/index.html").is_file()
    assert build(tree, trusted=True) == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", ["public", "public/deep", "pages/../public"])
def test_a_link_on_the_way_to_a_named_folder_is_not_followed(
    tree: Path, outside: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (outside / "empty").mkdir()
    (tree / "public").symlink_to(outside / "empty")
    assert run(tree, site_dir=tree / path) == 1
    assert "public is a link that leads out of the repository" in capsys.readouterr().err
    configure(tree, f"site_dir: {path}")
    assert run(tree) == 1
    assert names(outside / "empty") == []
    assert build(tree, allow=(outside,)) == 0
    assert not (tree / "site/minions").exists()


def test_a_folder_outside_that_the_user_names_is_written(tree: Path, outside: Path) -> None:
    by_link = tree.parent / f"{tree.name}-link"
    by_link.symlink_to(tree)
    assert run(by_link, site_dir=outside / "site") == 0
    assert (outside / "site/index.html").is_file()
    assert run(by_link) == 0
    assert (tree / "site/404.html").read_bytes()


def test_remains_that_are_links_are_not_followed(tree: Path, outside: Path) -> None:
    (outside / ".ssh").mkdir()
    for name in ("1a2b3c4d", "ready", "previous"):
        (tree / f".site.pillarbook-{name}").symlink_to(outside)
    assert run(tree) == 0
    assert names(outside) == [".ssh", "secret.txt"]
    assert not (tree / "site/.ssh").exists()
    for path in (tree / "site").rglob("*"):
        assert path.is_dir() or CANARY.encode() not in path.read_bytes()


def test_remains_that_are_links_become_no_site(tree: Path, outside: Path) -> None:
    replace_site(tree, outside)
    (tree / "site").unlink()
    (tree / ".site.pillarbook-ready").symlink_to(outside)
    assert run(tree) == 0
    assert not (tree / "site").is_symlink()
    assert names(outside) == ["secret.txt"]


def test_a_new_site_is_written_to_no_other_folder(tree: Path, outside: Path) -> None:
    staged = stage(tree / "site")
    named = next(path for path in tree.iterdir() if path.name.startswith(".site.pillarbook-"))
    named.rename(tree / "moved")
    named.symlink_to(outside)
    (staged.folder / "index.html").write_text("new")
    assert names(outside) == ["secret.txt"]
    assert (tree / "moved/index.html").read_text() == "new"


def test_a_link_that_takes_the_sites_place_is_replaced(tree: Path, outside: Path) -> None:
    (outside / ".hidden").write_text("")
    staged = stage(tree / "site")
    (staged.folder / "index.html").write_text("new")
    replace_site(tree, outside)
    staged.publish()
    assert not (tree / "site").is_symlink()
    assert (tree / "site/index.html").read_text() == "new"
    assert names(outside) == [".hidden", "secret.txt"]
    assert not [path for path in tree.iterdir() if path.name.startswith(".site")]


def test_hidden_entries_that_lead_out_are_not_published(
    tree: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "site/.well-known").mkdir()
    (tree / "site/.well-known/x").symlink_to(outside / "secret.txt")
    assert run(tree) == 1
    assert "site/.well-known/x is a link that leads out" in capsys.readouterr().err
    assert (tree / "site/index.html").read_bytes() == OLD["index.html"]


def test_hidden_entries_go_through_the_leak_gate(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = make_session()
    place = session.store.add("kL9mPq2rS7tV", ("db", "password"))
    assert place is not None
    (tree / "site/.env").write_text("PASSWORD=kL9mPq2rS7tV\n")
    assert run(tree, session) == 3
    assert ".env contains the secret of `db:password`" in capsys.readouterr().err
    assert (tree / "site/index.html").read_bytes() == OLD["index.html"]


def link(name: str, target: str) -> Callable[[Path, Path], None]:
    def make(tree: Path, outside: Path) -> None:
        (tree / name).symlink_to(target.replace("OUT", str(outside)))

    return make


def nested(tree: Path, outside: Path) -> None:
    (tree / "x/y").mkdir(parents=True)
    (tree / "pages/a").symlink_to("../x")
    (tree / "x/y/env.txt").symlink_to(outside / "secret.txt")


def nested_twice(tree: Path, outside: Path) -> None:
    (tree / "x").mkdir()
    (tree / "pages/a").symlink_to("../x")
    (tree / "x/b").symlink_to("../z")
    (tree / "z").symlink_to(outside)


def the_pages(tree: Path, outside: Path) -> None:
    (tree / "pages").rename(outside / "pages")
    (tree / "pages").symlink_to(outside / "pages")


def the_usual_pages(tree: Path, outside: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("docs_dir: pages\n", ""))
    (tree / "docs").symlink_to(outside)


def git_by_name(tree: Path, outside: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("docs_dir: pages", "docs_dir: .git"))


def git_within(tree: Path, outside: Path) -> None:
    configure(tree, "exclude_docs: |\n  !.git")
    (tree / "pages/.git").mkdir()
    (tree / "pages/.git/config.txt").write_text(CANARY)


LED_OUT: dict[str, Callable[[Path, Path], None]] = {
    "a file": link("pages/a.txt", "OUT/secret.txt"),
    "a folder": link("pages/a", "OUT"),
    "a process's environment": link("pages/a.txt", "/proc/self/environ"),
    "a file by a folder inside": nested,
    "a folder by two links": nested_twice,
    "the folder of the pages": the_pages,
    "the folder that is used where none is named": the_usual_pages,
    "git's folder": link("pages/a", "../.git"),
    "git's file": link("pages/a.txt", "../.git/config"),
    "git's folder as pages": git_by_name,
    "git's folder among the pages": git_within,
}


@pytest.mark.parametrize("make", LED_OUT.values(), ids=LED_OUT)
def test_pages_that_lead_out_are_not_published(
    tree: Path,
    outside: Path,
    make: Callable[[Path, Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    make(tree, outside)
    assert run(tree) == 1
    said = capsys.readouterr().err
    assert any(word in said for word in ("leads out", "leads into .git"))
    assert "--trust" in said
    assert "--allow" in said
    assert len(said.splitlines()) == 1
    assert site_of(tree) == OLD


def test_pages_outside_are_published_where_that_is_allowed(tree: Path, outside: Path) -> None:
    nested(tree, outside)
    assert build(tree, allow=(outside,)) == 0
    assert site_of(tree)["a/y/env.txt"] == CANARY.encode()
    assert build(tree, trusted=True) == 0


@pytest.mark.parametrize("target", ["..", ".", "../pages", "../x"])
def test_links_in_circles_are_one_sentence(
    tree: Path, outside: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "x").mkdir()
    (tree / "x/back").symlink_to("../pages")
    (tree / "pages/a").symlink_to(target)
    assert run(tree) == 1
    said = capsys.readouterr().err
    assert "is a link to a folder that contains it; remove it" in said
    assert site_of(tree) == OLD


@pytest.mark.parametrize("most", [2_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_links_that_multiply_are_one_sentence(
    most: int,
    tree: Path,
    outside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if most != docs_files.MAX_ENTRIES:
        monkeypatch.setattr(docs_files, "MAX_ENTRIES", most)
    for level in range(20):
        (tree / f"x{level}").mkdir()
        for name in ("a", "b"):
            (tree / f"x{level}" / name).symlink_to(f"../x{level + 1}")
    (tree / "x20").mkdir()
    (tree / "pages/x").symlink_to("../x0")
    assert run(tree) == 1
    assert f"has more than {most:,} files, links followed" in capsys.readouterr().err


@pytest.mark.sample(2)
@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", ["pages/pipe.txt", "pages/pipe.md", "x/pipe.txt"])
def test_a_pipe_among_the_pages_is_one_sentence(
    tree: Path, outside: Path, name: str, capsys: pytest.CaptureFixture[str], *, trusted: bool
) -> None:
    (tree / "x").mkdir()
    (tree / "pages/x").symlink_to("../x")
    os.mkfifo(tree / name)
    assert run(tree, trusted=trusted) == 1
    said = capsys.readouterr().err
    assert "cannot be published: it is not a regular file; remove it" in said
    assert len(said.splitlines()) == 1
    assert site_of(tree) == OLD
    configure(tree, f"exclude_docs: {Path(name).name}")
    assert run(tree, trusted=trusted) == 0


@pytest.mark.parametrize("name", ["pages/a.txt", "pages/a.md"])
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_a_file_that_is_exchanged_after_the_test_is_not_published(
    tree: Path, outside: Path, name: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / name).write_text("harmless")

    def open_session(_settings: object) -> SampleBook:
        (tree / name).unlink()
        if what == "link":
            (tree / name).symlink_to(outside / "secret.txt")
        else:
            os.mkfifo(tree / name)
        return make_session()

    assert build(tree, open_session=open_session) == 1
    assert f"{tree}/{name} cannot be published" in capsys.readouterr().err
    assert site_of(tree) == OLD


def test_a_folder_that_is_exchanged_after_the_test_is_not_published(
    tree: Path, outside: Path
) -> None:
    (tree / "pages/a").mkdir()
    (tree / "pages/a/secret.txt").write_text("harmless")

    def open_session(_settings: object) -> SampleBook:
        (tree / "pages/a").rename(tree / "old")
        (tree / "pages/a").symlink_to(outside)
        return make_session()

    assert build(tree, open_session=open_session) == 1
    assert site_of(tree) == OLD


def test_links_that_stay_inside_are_published(tree: Path, outside: Path) -> None:
    (tree / "README.md").write_text("# Read me\r\n\r\nfirst")
    (tree / "assets").mkdir()
    (tree / "assets/a.bin").write_bytes(b"\r\n\0\xff")
    (tree / "pages/readme.md").symlink_to("../README.md")
    (tree / "pages/assets").symlink_to("../assets")
    assert run(tree) == 0
    found = site_of(tree)
    assert b"Read me</h1>" in found["readme.html"]
    assert found["assets/a.bin"] == b"\r\n\0\xff"
    assert not [path for path in tree.iterdir() if path.name.startswith(".site")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("watch: [/etc]", "mkdocs.yml:8: /etc leads outside"),
        ("watch: [pages, ../..]", "mkdocs.yml:8: "),
        ("INHERIT: .git/config", "leads outside"),
    ],
)
def test_options_that_lead_out_are_refused(
    tree: Path, outside: Path, text: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tree, text)
    assert run(tree) == 1
    assert expected in capsys.readouterr().err


def test_the_search_index_is_not_made_by_a_program(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugins = "plugins:\n  - search: {prebuild_index: node}\n"
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("plugins:\n", plugins))
    assert run(tree) == 1
    assert "mkdocs.yml:5: prebuild_index runs the program node" in capsys.readouterr().err
    assert_nothing_left(tree)
