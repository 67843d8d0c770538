"""Which commits two sides are, in all the kinds of clones that people have."""

import os
import shlex
import shutil
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.changes.comparison import Since, resolve_sides
from pillarbook.roots.revision_names import RevisionError


def commit(folder: Path, name: str) -> str:
    commit_all(write_files(folder, {name: f"{name}\n"}))
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose branches main and feature parted after two commits."""
    folder = tmp_path_factory.mktemp("parted")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "one")
    commit(folder, "two")
    git(folder, "tag", "-a", "v1", "-m", "v1")
    git(folder, "checkout", "--quiet", "-b", "feature")
    commit(folder, "feature")
    git(folder, "checkout", "--quiet", "main")
    commit(folder, "three")
    git(folder, "checkout", "--quiet", "feature")
    return folder


@pytest.fixture
def forked(parted: Path, tmp_path: Path) -> Path:
    """A copy of that repository, which a test may change."""
    return shutil.copytree(parted, tmp_path / "repository")


def rev(folder: Path, name: str) -> str:
    return git(folder, "rev-parse", f"{name}^{{commit}}").strip()


def refusal(folder: Path, base: str | None = None, head: str | None = None) -> str:
    with pytest.raises(RevisionError) as caught:
        resolve_sides(folder, base, head)
    assert "\n" not in str(caught.value)
    return str(caught.value)


REVISIONS = (
    *("HEAD", "@", "HEAD~1", "HEAD^", "HEAD^0", "@~2", "main", "main~1", "heads/main"),
    *("refs/heads/main", "v1", "v1~1", "v1^{commit}", "tags/v1", "v1^{}"),
)


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_it_finds_what_git_finds(forked: Path, packed: bool) -> None:
    if packed:
        git(forked, "gc", "--quiet")
    peeled = [f"{name}^{{commit}}" for name in REVISIONS]
    expected = git(forked, "rev-parse", *peeled).split()
    for name, commit in zip(REVISIONS, expected, strict=True):
        assert resolve_sides(forked, "HEAD", name)[1].commit == commit, name


def test_ids_may_be_short(forked: Path) -> None:
    full = rev(forked, "main")
    described = git(forked, "describe", "--long", "main").strip()
    for name in (full, full[:7], full[:4].upper(), described):
        assert resolve_sides(forked, "HEAD", name)[1].commit == full


def test_the_base_is_where_both_parted(forked: Path) -> None:
    base, head = resolve_sides(forked, "main")
    parted = rev(forked, "v1")
    assert (base.commit, base.label) == (parted, f"{parted[:7]} (merge base with main)")
    assert (head.commit, head.label) == (None, "working tree")


def test_a_base_that_the_head_comes_from_is_itself(forked: Path) -> None:
    base, head = resolve_sides(forked, "HEAD~1", "feature")
    assert base.label == f"{rev(forked, 'v1')[:7]} (HEAD~1)"
    assert head.label == f"{rev(forked, 'feature')[:7]} (feature)"
    for named in (rev(forked, "v1"), rev(forked, "v1")[:9].upper()):  # an id is said once
        assert resolve_sides(forked, named, "feature")[0].label == rev(forked, "v1")[:7]


def test_without_a_base_the_configured_one_counts_and_then_head(forked: Path) -> None:
    assert resolve_sides(forked, default_base="main")[0].commit == rev(forked, "v1")
    assert resolve_sides(forked)[0].commit == rev(forked, "HEAD")
    assert resolve_sides(forked, "v1~1", default_base="main")[0].commit == rev(forked, "v1~1")


def test_a_folder_inside_is_enough(forked: Path) -> None:
    write_files(forked, {"a/b/c": "c"})
    assert resolve_sides(forked / "a" / "b" / "no" / "longer")[0].home.folder == forked


def test_a_detached_head_is_named(forked: Path) -> None:
    git(forked, "checkout", "--quiet", "--detach", "main")
    base, _ = resolve_sides(forked)
    assert base.label == f"{rev(forked, 'main')[:7]} (HEAD, detached)"
    assert "detached" in refusal(forked, "@{upstream}")


def test_remote_branches_and_upstreams(forked: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--branch", "main", str(forked), "clone")
    clone = tmp_path / "clone"
    git(clone, "checkout", "--quiet", "feature")
    parted = rev(clone, "v1")
    for name in ("origin/main", "remotes/origin/main"):
        assert resolve_sides(clone, name)[0].commit == parted
    assert resolve_sides(clone, "origin", "HEAD")[0].label.endswith("(origin)")
    for name in ("@{upstream}", "feature@{u}", "@{U}"):
        assert resolve_sides(clone, name)[0].commit == rev(clone, "origin/feature")
    git(clone, "fetch", "--quiet", "origin", "main")
    assert resolve_sides(clone, "HEAD", "FETCH_HEAD")[1].commit == rev(clone, "FETCH_HEAD")


def test_an_unknown_revision_has_the_nearest_names(forked: Path) -> None:
    assert "did you mean 'main'?" in refusal(forked, "mian")
    said = refusal(forked, "origin/nowhere-like-it")
    assert "unknown revision 'origin/nowhere-like-it'" in said
    assert "`git fetch origin +refs/heads/nowhere-like-it:refs/remotes/origin/nowhere" in said
    assert refusal(forked, "x/y").endswith(": name a branch, tag or commit of this repository")
    git(forked, "remote", "add", "origin", "elsewhere")
    assert "`git fetch origin refs/heads/x/y:refs/heads/x/y` fetches it" in refusal(forked, "x/y")
    assert "did you mean 'feature'" in refusal(forked, "HEAD", "featur")
    assert "searches are not supported" in refusal(forked, ":/two")
    assert "no parent number 3" in refusal(forked, "HEAD^3")
    assert "no parent" in refusal(forked, "HEAD~50")


@pytest.mark.parametrize(
    ("name", "base", "head"),
    [
        ("main..feature", "main", "feature"),
        ("main...feature", "v1", "feature"),
        ("main..", "main", "HEAD"),
        ("..main", "HEAD", "main"),
        ("HEAD~1..HEAD^0", "HEAD~1", "HEAD"),
    ],
)
def test_a_range_names_both_sides(forked: Path, name: str, base: str, head: str) -> None:
    sides = resolve_sides(forked, name)
    assert [side.commit for side in sides] == [rev(forked, base), rev(forked, head)]


def test_what_is_no_range_is_refused(forked: Path) -> None:
    assert "use one range, or two revisions" in refusal(forked, "main..feature", "HEAD")
    assert "unknown revision" in refusal(forked, "main..nowhere")


DAYS = tuple(f"2020-01-{day:02}T12:00:00+00:00" for day in (1, 3, 5))


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    """A repository with a commit of each of some days, and a reference log."""
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    for day in DAYS:
        write_files(tmp_path, {"file": day})
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "--quiet", "-m", day, GIT_COMMITTER_DATE=day, GIT_AUTHOR_DATE=day)
    return tmp_path


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "name",
    [
        *("HEAD@{0}", "HEAD@{1}", "main@{2}", "@{1}", "refs/heads/main@{1}", "main@{1}~1"),
        *("main@{2020-01-04T00:00:00+00:00}", "main@{2020-01-05T12:00:00+00:00}", "main@{now}"),
        "main@{1 day ago}",
    ],
)
def test_the_reference_log_is_read_as_git_reads_it(dated: Path, name: str) -> None:
    assert resolve_sides(dated, name)[0].commit == rev(dated, name)


@pytest.mark.parametrize(
    "when", ["2020-01-04T00:00:00+00:00", "2020-01-03T12:00:00+00:00", "yesterday", "2 weeks ago"]
)
def test_a_time_is_the_last_commit_before_it(dated: Path, when: str) -> None:
    found = git(dated, "rev-list", "-1", "--first-parent", f"--before={when}", "HEAD").strip()
    base = resolve_sides(dated, Since(when))[0]
    assert (base.commit, base.label) == (found, f"{found[:7]} ({when})")


def test_times_that_lead_nowhere_say_what_to_do(dated: Path, tmp_path: Path) -> None:
    with pytest.raises(RevisionError, match="is before the first commit"):
        resolve_sides(dated, Since("2019-12-31"))
    with pytest.raises(RevisionError, match="is not a known form of time: write 'yesterday'"):
        resolve_sides(dated, Since("sometime"))
    assert "has only 3 entries" in refusal(dated, "main@{9}")
    git(dated, "clone", "--quiet", "--depth", "1", f"file://{dated}", str(tmp_path / "shallow"))
    with pytest.raises(
        RevisionError, match=r"the oldest commit of this clone: .*git fetch --unshallow"
    ):
        resolve_sides(tmp_path / "shallow", Since("2020-01-02"))
    git(dated, "clone", "--quiet", "--bare", str(dated), str(tmp_path / "bare"))
    assert "this clone has no log of" in refusal(tmp_path / "bare", "main@{1}", "main")


@pytest.mark.parametrize(
    "name", ["main:pillar/top.sls", "my branch", "feat*", "a\\b", "two  lines"]
)
def test_what_can_be_no_name_is_not_to_be_fetched(forked: Path, name: str) -> None:
    said = refusal(forked, name)
    assert "this cannot be a name in git" in said
    assert "git fetch" not in said


def test_what_is_no_repository_says_so(tmp_path: Path) -> None:
    assert "is not in a git repository" in refusal(tmp_path)


def test_a_branch_without_a_commit_says_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    assert "the branch 'main' has no commit yet" in refusal(tmp_path)


def test_strangers_have_no_common_ancestor(forked: Path) -> None:
    git(forked, "checkout", "--quiet", "--orphan", "other")
    commit_all(forked)
    assert "'main' and HEAD have no common ancestor" in refusal(forked, "main")


@pytest.mark.parametrize("depth", [1, 2])
def test_a_shallow_clone_names_the_remedy(forked: Path, tmp_path: Path, depth: int) -> None:
    url = f"file://{forked}"
    git(tmp_path, "clone", "--quiet", f"--depth={depth}", "--no-single-branch", url, "clone")
    clone = tmp_path / "clone"
    if depth == 1:
        for base in ("origin/main", "HEAD~1", "HEAD^", rev(forked, "v1")):
            said = refusal(clone, base)
            assert "git fetch --unshallow" in said
            assert "fetch-depth: 0" in said
    else:
        assert resolve_sides(clone, "origin/main")[0].commit == rev(forked, "v1")
        assert resolve_sides(clone, "HEAD~1")[0].commit == rev(forked, "v1")
    assert resolve_sides(clone)[0].commit == rev(forked, "feature")


def run_remedy(clone: Path, said: str) -> str:
    """Run the first command that a message names, as a person would paste it; return it."""
    command = said.split("`")[1]
    first, *words = shlex.split(command)
    assert first == "git"
    git(clone, *words)
    return command


@pytest.mark.sample(1)
@pytest.mark.parametrize("depth", [("--depth=1",), ("--single-branch",)], ids=["shallow", "whole"])
@pytest.mark.parametrize(
    "name", ["origin/main", "remotes/origin/main", "origin/HEAD", "origin", "main", "v0", "ID"]
)
def test_the_remedy_of_a_clone_of_one_branch_works_when_typed(
    forked: Path, tmp_path: Path, depth: tuple[str, ...], name: str
) -> None:
    git(forked, "tag", "v0", "main")
    git(forked, "checkout", "--quiet", "main")  # where origin/HEAD leads to
    git(tmp_path, "clone", "-q", *depth, "--no-tags", "-b", "feature", f"file://{forked}", "clone")
    clone = tmp_path / "clone"
    named = rev(forked, "main") if name == "ID" else name
    said = refusal(clone, named)
    assert "?:" not in said
    if name == "v0":
        said = said.partition("if it is a branch, ")[2]
    ran = run_remedy(clone, said)
    assert ("--unshallow" in ran) == (depth == ("--depth=1",))
    assert resolve_sides(clone, named)[0].commit == rev(forked, "v1")


def test_a_branch_of_another_remote_is_fetched_from_there(forked: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{forked}", "clone")
    clone = tmp_path / "clone"
    git(clone, "remote", "add", "-t", "feature", "up", f"file://{forked}")
    said = refusal(clone, "up/main")
    assert "`git fetch --unshallow up +refs/heads/main:refs/remotes/up/main` fetches" in said
    run_remedy(clone, said)
    assert resolve_sides(clone, "up/main")[0].commit == rev(forked, "v1")
    assert "origin refs/heads/topic/a:refs/heads/topic/a`" in refusal(clone, "topic/a")
    assert "'+refs/heads/a;b:refs/remotes/up/a;b'`" in refusal(clone, "up/a;b")


def test_a_worktree_is_one_of_its_repository(forked: Path, tmp_path: Path) -> None:
    git(forked, "worktree", "add", "--quiet", str(tmp_path / "elsewhere"), "main")
    base, head = resolve_sides(tmp_path / "elsewhere", "feature")
    assert base.commit == rev(forked, "v1")
    assert head.home.folder == tmp_path / "elsewhere"
    assert resolve_sides(tmp_path / "elsewhere")[0].commit == rev(forked, "main")


def test_a_file_that_leads_to_another_repository_is_not_followed(
    forked: Path, tmp_path: Path
) -> None:
    write_files(tmp_path / "tree", {".git": f"gitdir: {forked}/.git\n"})
    said = refusal(tmp_path / "tree")
    assert "--allow DIR" in said
    sides = resolve_sides(tmp_path / "tree", allow=(forked,))
    assert sides[0].commit == rev(forked, "HEAD")


def test_a_submodule_is_a_repository_of_its_own(forked: Path, tmp_path: Path) -> None:
    above = tmp_path / "above"
    git(above, "init", "--quiet")
    git(above, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(forked), "sub")
    base, _ = resolve_sides(above / "sub", "origin/main")
    assert base.commit == rev(forked, "v1")


def test_a_bare_mirror_has_revisions_only(forked: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--mirror", str(forked), "mirror.git")
    base, head = resolve_sides(tmp_path / "mirror.git", "main", "feature")
    assert (base.commit, head.commit) == (rev(forked, "v1"), rev(forked, "feature"))
    assert base.home.is_bare
    assert "bare repository" in refusal(tmp_path / "mirror.git", "main")


def test_a_repository_that_borrows_says_what_to_allow(forked: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--shared", str(forked), "clone")
    assert "--allow DIR" in refusal(tmp_path / "clone")
    for given in ({"allow": (forked,)}, {"trusted": True}):
        sides = resolve_sides(tmp_path / "clone", "origin/main", **given)
        assert sides[0].commit == rev(forked, "v1")


def test_a_reftable_names_its_remedy(forked: Path) -> None:
    full = rev(forked, "main")
    (forked / ".git" / "reftable").mkdir()
    (forked / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert "git refs migrate --ref-format=files" in refusal(forked, "main")
    assert resolve_sides(forked, full, full)[0].commit == full


def test_nothing_of_the_configuration_counts(
    forked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who owns it does not matter either: nothing in it is run."""
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    evil.chmod(0o755)
    with (forked / ".git" / "config").open("a") as file:
        file.write(
            f"[core]\n fsmonitor = {evil}\n pager = {evil}\n[include]\n path = /dev/zero\n"
            "[extensions]\n unheard = of\n[safe]\n directory = /nowhere\n"
        )
    if os.geteuid() == 0:
        for place in (forked, *forked.rglob("*")):
            os.chown(place, 65534, 65534)
    assert resolve_sides(forked, "main")[0].label.endswith("(merge base with main)")
    assert not (tmp_path / "ran").exists()


def test_a_lost_object_names_the_remedy(forked: Path) -> None:
    lost = rev(forked, "v1")
    (forked / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    assert "`git fetch`" in refusal(forked, "main")
