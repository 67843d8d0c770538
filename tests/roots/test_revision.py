"""A commit as a file tree: links, submodules, what is missing, and ways out of the repository."""

import os
from collections.abc import Mapping
from pathlib import Path

import pygit2
import pytest
from tests.support.fleets import write_files
from tests.support.repositories import build_repository, commit_all, git

from pillarbook.roots.folder import FolderTree
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision import MAX_LEVELS, RevisionTree


def anywhere(_: Path) -> bool:
    return True


def open_tree(folder: Path, below: str = "", branch: str = "master") -> RevisionTree:
    repository = Repository(folder, allowed=anywhere)
    commit = repository.find_commit(f"refs/heads/{branch}")
    assert commit is not None
    return RevisionTree(repository, commit, below, shown=lambda path: f"r:{path}", full="/copy")


def build(folder: Path, files: dict[str, str], links: dict[str, str] | None = None) -> Path:
    branch = write_files(folder / "branches" / "master", files)
    for name, target in (links or {}).items():
        (branch / name).parent.mkdir(parents=True, exist_ok=True)
        (branch / name).symlink_to(target)
    return build_repository(folder / "branches", folder / "repository")


FILES = {"a.sls": "a\n", "sub/b.sls": "b\n", "sub/deep/c.sls": "c\n", "data/d.yml": "d\n"}
LINKS = {
    "link.sls": "sub/b.sls",
    "lsub": "sub/deep",
    "sub/up.sls": "../a.sls",
    "sub/loop": "..",
    "self": "self",
    "gone.sls": "nowhere",
    "out.sls": "../../etc/passwd",
    "abs.sls": "/etc/passwd",
}


@pytest.mark.parametrize("below", ["", "sub"])
def test_it_holds_what_a_checkout_would(tmp_path: Path, below: str) -> None:
    links = {name: to for name, to in LINKS.items() if not name.startswith(("out", "abs"))}
    folder = build(tmp_path, FILES, links)
    tree = open_tree(folder, below)
    checkout = FolderTree(folder / below, shown=str, allowed=anywhere)
    kept = {name for name in checkout.names() if ".git/" not in name}
    nowhere = ("gone.sls", "self")  # these links are names alone
    assert {name for name in kept if not name.endswith(nowhere)} <= set(tree.names())
    for name in tree.names():
        found, same = tree.find(name), checkout.find(name)
        assert found is not None
        assert same is not None
        assert (found.content, found.digest) == (same.content, same.digest)
        assert found.full == f"/copy/{name}"


def test_a_folder_has_its_files_by_each_of_its_names(tmp_path: Path) -> None:
    tree = open_tree(build(tmp_path, FILES, LINKS))
    assert {name for name in tree.names() if name.endswith("c.sls")} == {
        "sub/deep/c.sls",
        "lsub/c.sls",
    }


def test_links_out_of_the_commit_lead_nowhere(tmp_path: Path) -> None:
    tree = open_tree(build(tmp_path, FILES, LINKS))
    assert [tree.find(name) for name in ("out.sls", "abs.sls", "gone.sls", "self")] == [None] * 4
    assert tree.refused == {
        "r:abs.sls": "leads out of the repository",
        "r:out.sls": "leads out of the repository",
    }
    assert "out.sls" not in tree.names()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a.sls", "r:a.sls"),
        ("sub/../a.sls", "r:a.sls"),
        ("/copy/sub/b.sls", "r:sub/b.sls"),
        ("../a.sls", None),
        ("/etc/passwd", None),
        ("sub", None),
        ("a.sls/x", None),
        ("", None),
    ],
)
def test_a_path_is_taken_as_in_a_folder(tmp_path: Path, path: str, shown: str | None) -> None:
    found = open_tree(build(tmp_path, FILES)).find(path)
    assert (found and found.shown) == shown


def test_submodules_are_empty_folders(tmp_path: Path) -> None:
    folder = build(tmp_path, FILES)
    commit = git(folder, "rev-parse", "HEAD").strip()
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},private")
    git(folder, "commit", "--quiet", "--message", "submodule")
    tree = open_tree(folder)
    assert sorted(tree.names()) == sorted(FILES)
    assert tree.find("private/x.sls") is None
    assert open_tree(folder, "private").is_there
    assert not open_tree(folder, "nowhere").is_there
    assert open_tree(folder, "nowhere").names() == ()


def test_a_file_that_a_clone_lacks_is_told_of(tmp_path: Path) -> None:
    folder = build(tmp_path, FILES)
    lost = git(folder, "rev-parse", "HEAD:sub/b.sls").strip()
    (folder / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    tree = open_tree(folder)
    assert tree.find("sub/b.sls") is None
    assert tree.unreadable("sub/b.sls") == "r:sub/b.sls"
    assert tree.find("a.sls") is not None


def test_a_tree_that_names_itself_over_and_over_ends(tmp_path: Path) -> None:
    folder = build(tmp_path, {"f": "x\n"})
    tree = git(folder, "rev-parse", "HEAD^{tree}").strip()
    names = "abcdefghij"
    for _ in range(8):  # ten folders of ten folders ...
        lines = "".join(f"040000 tree {tree}\t{name}\n" for name in names)
        (folder / "lines").write_text(lines)
        with (folder / "lines").open() as given:
            tree = _mktree(folder, given.read())
    commit = git(folder, "commit-tree", tree, "-m", "bomb").strip()
    git(folder, "update-ref", "refs/heads/bomb", commit)
    made = open_tree(folder, branch="bomb")
    assert len(made.names()) < 300_000
    assert any("more than" in reason for reason in made.refused.values())


def test_folders_that_lie_too_deep_end(tmp_path: Path) -> None:
    folder = build(tmp_path, {"f": "x\n"})
    repository = pygit2.Repository(str(folder))
    tree = repository.revparse_single("HEAD^{tree}").id
    for _ in range(MAX_LEVELS + 20):
        level = repository.TreeBuilder()
        level.insert("d", tree, pygit2.enums.FileMode.TREE)
        tree = level.write()
    commit = git(folder, "commit-tree", str(tree), "-m", "deep").strip()
    git(folder, "update-ref", "refs/heads/deep", commit)
    assert open_tree(folder, branch="deep").names() == ()


def _mktree(folder: Path, lines: str) -> str:
    (folder / "lines").write_text(lines)
    return git(folder, "-c", "alias.make=!git mktree < lines", "make").strip()


def test_references_are_found_in_order(tmp_path: Path) -> None:
    folder = build(tmp_path, FILES)
    git(folder, "tag", "--annotate", "--message", "x", "v1")
    git(folder, "pack-refs", "--all")
    repository = Repository(folder, allowed=anywhere)
    head = git(folder, "rev-parse", "HEAD").strip()
    assert repository.find_commit("refs/heads/none", "refs/tags/v1") == head
    for name in ("refs/heads/none", "refs/heads/a..b", "refs/heads/~1", "refs/heads/", ""):
        assert repository.find_commit(name) is None


@pytest.mark.parametrize("kind", ["folder", "absent", "file"])
def test_what_is_no_repository_is_refused(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "x"
    if kind == "folder":
        write_files(folder, {"a.sls": ""})
    elif kind == "file":
        write_files(folder, {".git": "gitdir: ../nowhere\n"})
    with pytest.raises(RepositoryError):
        Repository(folder, allowed=anywhere)


@pytest.mark.parametrize("way", ["alternates", "gitdir", "commondir", "objects", "reference"])
def test_no_way_leads_out_of_what_may_be_read(tmp_path: Path, way: str) -> None:
    private = build(tmp_path / "private", {"secret.sls": "s\n"}) / ".git"
    inside = tmp_path / "inside"
    folder = build(inside, FILES)
    own = folder / ".git"
    if way == "alternates":
        (own / "objects/info").mkdir(exist_ok=True)
        (own / "objects/info/alternates").write_text(f"{private}/objects\n")
    elif way == "gitdir":
        own.rename(inside / "elsewhere")
        own.write_text(f"gitdir: {private}\n")
    elif way == "commondir":
        (own / "commondir").write_text(f"{private}\n")
    elif way == "objects":
        (own / "objects").rename(inside / "objects")
        (own / "objects").symlink_to(private / "objects")
    else:
        (own / "refs/heads/other").symlink_to(private / "refs/heads/master")
    with pytest.raises(RepositoryError, match="leads out"):
        Repository(folder, allowed=lambda path: path.is_relative_to(inside.resolve()))


WAYS_OUT: Mapping[str, Mapping[str, str]] = {
    "gitdir-below-gitdir": {".git/.git": "gitdir: @PRIVATE@\n"},
    "commondir-like-a-comment": {"commondir": "#x/../../../../private/repository/.git\n"},
    "alternates-behind-much": {"objects/info/alternates": f"#{'x' * 70_000}\n@PRIVATE@/objects\n"},
    "alternates-from-the-process": {
        "objects/info/alternates": "x/../../private/repository/.git/objects\n"
    },
    "alternates-with-other-lines": {
        "objects/info/alternates": "./../../x\x0b/../../../private/repository/.git/objects\n"
    },
    "symbolic": {"refs/heads/master": "ref: ../../../../../private/repository/.git/HEAD\n"},
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_made_up_repository_leads_nowhere(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = build(tmp_path / "private", {"secret.sls": "s\n"}) / ".git"
    head = git(private, "rev-parse", "HEAD").strip()
    bare = tmp_path / "inside/p.git"
    made = {"HEAD": "ref: refs/heads/master\n", "refs/heads/master": f"{head}\n"}
    more = {name: text.replace("@PRIVATE@", str(private)) for name, text in WAYS_OUT[way].items()}
    write_files(bare, {**made, **more})
    for folder in ("objects", "#x", "x"):
        (bare / folder).mkdir(exist_ok=True)
    (tmp_path / "inside/x").mkdir()
    monkeypatch.chdir(tmp_path / "inside")

    def inside(path: Path) -> bool:
        return path.is_relative_to((tmp_path / "inside").resolve())

    try:
        repository = Repository(bare, allowed=inside)
        commit = repository.find_commit("refs/heads/master")
    except RepositoryError:
        return
    assert commit is None


@pytest.mark.parametrize(
    "name", ["commondir", "objects/info/alternates", "objects/pack/pack-1.idx"]
)
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    folder = build(tmp_path, FILES)
    (folder / ".git" / name).parent.mkdir(exist_ok=True)
    os.mkfifo(folder / ".git" / name)
    with pytest.raises(RepositoryError, match="no file"):
        Repository(folder, allowed=anywhere)


@pytest.mark.parametrize("kind", ["folder", "revision"])
def test_links_to_one_large_file_do_not_fill_the_memory(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbook.roots.tree_interface.MAX_CONTENT", 25)
    folder = build(tmp_path, {"a.sls": "0123456789"}, {f"l{n}.sls": "a.sls" for n in range(4)})
    tree: FolderTree | RevisionTree = open_tree(folder)
    if kind == "folder":
        tree = FolderTree(folder, shown=str, allowed=anywhere)
    found = [tree.find(f"l{n}.sls") is not None for n in range(4)]
    assert found == [True, True, False, False]
    assert all(why.startswith("is beyond") for why in tree.refused.values())


def test_a_folder_that_stands_in_itself_often_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbook.roots.revision.MAX_TIMES", 20)
    folder = build(tmp_path, FILES)
    tree = git(folder, "rev-parse", "HEAD^{tree}").strip()
    for _ in range(12):
        tree = _mktree(folder, "".join(f"040000 tree {tree}\td{n}\n" for n in range(9)))
    commit = git(folder, "commit-tree", tree, "-m", "bomb").strip()
    git(folder, "update-ref", "refs/heads/bomb", commit)
    bomb = open_tree(folder, branch="bomb")
    assert len(bomb.names()) < 1000
    assert any("places" in why for why in bomb.refused.values())


def test_the_configuration_of_a_repository_is_not_read(tmp_path: Path) -> None:
    folder = build(tmp_path, FILES)
    os.mkfifo(tmp_path / "pipe")
    (folder / ".git/config").write_text(f"[include]\npath = {tmp_path}/pipe\n[core")
    assert open_tree(folder).find("a.sls") is not None


def test_a_worktree_and_a_shared_clone_inside_are_read(tmp_path: Path) -> None:
    folder = build(tmp_path, FILES)
    git(folder, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    write_files(tmp_path / "side", {"new.sls": "n\n"})
    commit_all(tmp_path / "side")
    git(tmp_path, "clone", "--quiet", "--shared", str(folder), "shared")

    def inside(path: Path) -> bool:
        return path.is_relative_to(tmp_path.resolve())

    side = Repository(tmp_path / "side", allowed=inside)
    assert side.find_commit("refs/heads/side") == git(folder, "rev-parse", "side").strip()
    shared = Repository(tmp_path / "shared", allowed=inside)
    commit = shared.find_commit("refs/remotes/origin/side")
    assert commit is not None
    assert "new.sls" in RevisionTree(shared, commit, shown=str, full="/x").names()
