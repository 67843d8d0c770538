"""``pillarbook diff`` as people and programs call it, on real repositories."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.apply_changes import apply_changes
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.changes.comparison import scan
from pillarbook.cli.main import run
from pillarbook.compare.change import Change
from pillarbook.session.process_count import count_processes

TREE = {
    "mkdocs.yml": "site_name: x\nplugins:\n  - pillarbook: {master: master, inventory: minions.yml,"
    " environments: [base, next]}\n",
    "master": "pillar_roots: {base: [base], next: [next]}\n",
    "minions.yml": "minions:\n"
    + "".join(
        f"  web{number}: {{grains: {{roles: [web], os: {os}}}, pillarenv: base}}\n"
        for number, os in enumerate(("Debian", "Debian", "Rocky"), 1)
    )
    + "  db1: {grains: {roles: [db], os: Debian}, pillarenv: base}\n",
    "base/top.sls": "base:\n  'roles:web':\n    - match: grain\n    - web\n  '*':\n    - common\n",
    "base/web.sls": "nginx:\n  workers: 4\n  user: www\nlist: [1, 2, 3]\n",
    "base/common.sls": "motd: hello\ndb_password: earl-grey-7\n",
    "next/top.sls": "next: {'*': [common]}\n",
    "next/common.sls": "motd: next\n",
}
Ask = Callable[..., tuple[int, str]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with one commit, as the current folder."""
    commit_all(write_files(start(tmp_path), TREE))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PILLARBOOK_TOKEN_KEY", raising=False)
    return tmp_path


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return what runs ``diff`` and gives its exit code and what it prints, errors too."""

    def call(*words: str) -> tuple[int, str]:
        code = run(["diff", "--exit-code", *words])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_nothing_changed(tree: Path, ask: Ask) -> None:
    code, printed = ask()
    assert code == 0
    assert printed.startswith("Pillar: no change on 4 minions\n")
    assert ask("--format", "minions") == (0, "")
    code, printed = ask("--format", "markdown")
    assert code == 0
    assert printed.startswith("### Pillar: no change on 4 minions\n4 unchanged")


def test_one_value_is_one_change(tree: Path, ask: Ask) -> None:
    edit(tree, "base/web.sls", "workers: 4", "workers: 8")
    code, printed = ask()
    assert code == 2
    assert "Pillar: 1 change on 3 of 4 minions" in printed
    assert "all 3 of roles:web" in printed
    assert "~ nginx:workers: 4 -> 8" in printed
    assert "because of base/web.sls:2" in printed
    assert ask("--format", "minions") == (2, "web1\nweb2\nweb3\n")


def test_any_number_of_processes_prints_the_same(
    tree: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []

    def count(*given: Any) -> int:
        asked.append(given[-1])
        return count_processes(*given)

    monkeypatch.setattr(scan, "count_processes", count)
    edit(tree, "base/web.sls", "workers: 4", "workers: 8")
    one, three = (ask("--format", "json", "--jobs", number) for number in ("1", "3"))
    assert one == three
    assert one[0] == 2
    assert asked == [1, 3]


def test_members_of_a_list_have_their_position(tree: Path, ask: Ask) -> None:
    backends = "backends:\n  - port: 80\n  - port: 80\nlist: [1, 1, 3]"
    edit(tree, "base/web.sls", "list: [1, 2, 3]", backends)
    commit_all(tree)
    edit(tree, "base/web.sls", "port: 80", "port: 81")
    edit(tree, "base/web.sls", "[1, 1, 3]", "[2, 2, 3]")
    _, printed = ask()
    assert "~ backends:0:port: 80 -> 81\n" in printed
    assert "~ backends:1:port: 80 -> 81\n" in printed
    assert "~ list:[]: 1 -> 2 (2 times)\n" in printed
    _, printed = ask("--format", "markdown")
    assert "- backends:1:port: 80  # line 6\n+ backends:1:port: 81\n" in printed
    assert "- list:[]: 1 (2 times)  # line 7\n+ list:[]: 2\n" in printed


def test_json_applied_to_the_base_is_the_head(tree: Path, ask: Ask) -> None:
    text = "nginx: {user: www, workers: 8, new: {a: [1]}}\nlist: [3, 1, 4]\n"
    write_files(tree, {"base/web.sls": text})
    _, printed = ask("--format", "json", "--reveal")
    told = json.loads(printed)
    changes = [as_change(atom) for atom in told["atoms"] if "web1" in atom["minions"]]
    base = {"nginx": {"workers": 4, "user": "www"}, "list": [1, 2, 3]}
    head = apply_changes(base, changes)
    assert json.dumps(head) == json.dumps(
        {"nginx": {"user": "www", "workers": 8, "new": {"a": [1]}}, "list": [3, 1, 4]}
    )
    assert all(atom["proven"] and atom["because"] for atom in told["atoms"])


def as_change(atom: dict[str, Any]) -> Change:
    """Return an atom of the JSON; positions in it are those of lists."""
    path = tuple(atom["path"])
    return Change(
        path=path,
        kind=atom["kind"],
        before=atom.get("before"),
        after=atom.get("after"),
        behind=None if atom.get("behind") is None else tuple(atom["behind"]),
        moved_from=atom.get("from"),
        moved_to=atom.get("to"),
        positions=frozenset(at for at, key in enumerate(path) if isinstance(key, int)),
    )


def test_a_comment_changes_nothing(tree: Path, ask: Ask) -> None:
    edit(tree, "base/web.sls", "nginx:", "# a comment\nnginx:")
    code, printed = ask()
    assert code == 0
    assert "no effect: base/web.sls:1 (only comments and empty lines)" in printed


def test_a_value_that_loses_has_no_effect(tree: Path, ask: Ask) -> None:
    edit(tree, "base/common.sls", "motd: hello", "motd: hello\nlist: [7]")
    edit(tree, "base/top.sls", "'*':", "'*b*':")
    commit_all(tree)
    edit(tree, "base/web.sls", "list: [1, 2, 3]", "list: [1, 2]")
    code, printed = ask()
    assert code == 0
    assert "no effect: base/web.sls:4" in printed
    assert "overridden in base/common.sls:2" in printed.replace("`", "")


def test_a_new_file_that_fails_is_not_without_effect(tree: Path, ask: Ask) -> None:
    edit(tree, "base/web.sls", "workers: 4", "workers: 8")
    edit(tree, "base/top.sls", "    - web\n", "    - web\n    - broken\n")
    write_files(tree, {"base/broken.sls": "a: {{ nowhere.defined }}\nb: 1\n"})
    code, printed = ask()
    assert code == 2
    assert "base/broken.sls:1: SLS 'broken' does not render" in printed
    assert "because of base/web.sls:2" in printed
    assert "no effect" not in printed


def test_a_broken_template_fails_newly(tree: Path, ask: Ask) -> None:
    edit(tree, "base/web.sls", "workers: 4", "workers: {{ nowhere.defined }}")
    code, printed = ask()
    assert code == 2
    assert "3 newly failing, 1 unchanged" in printed
    assert "newly failing: all 3 of roles:web" in printed
    assert "base/web.sls:2:" in printed
    told = json.loads(ask("--format", "json")[1])
    assert {name: one["outcome"] for name, one in told["minions"].items()} == {
        **dict.fromkeys(("web1", "web2", "web3"), "newly failing"),
        "db1": "unchanged",
    }
    found = [one for one in told["diagnostics"] if one["side"] == "head"]
    assert (found[0]["file"], found[0]["line"]) == ("base/web.sls", 2)


def test_a_failure_is_never_unchanged(tree: Path, ask: Ask) -> None:
    edit(tree, "base/web.sls", "workers: 4", "workers: {{ nowhere.defined }}")
    commit_all(tree)
    code, printed = ask()
    assert code == 0  # no news; `--fail-on failure` fails the job
    assert "3 still failing, 1 unchanged" in printed
    assert "3 minions fail as before:" in printed
    assert ask("--fail-on", "failure")[0] == 2
    assert ask("--format", "minions")[1] == ""
    edit(tree, "base/web.sls", "{{ nowhere.defined }}", "4")
    assert "3 fixed, 1 unchanged" in ask()[1]


def test_an_empty_pillar_is_an_alarm(tree: Path, ask: Ask) -> None:
    write_files(tree, {"base/top.sls": "base: {'web*': [web]}\n"})
    code, printed = ask()
    assert code == 2
    assert "empty: db1" in printed


def test_minions_come_and_go(tree: Path, ask: Ask) -> None:
    edit(tree, "minions.yml", "db1:", "db2:")
    code, printed = ask()
    assert code == 2
    assert "1 removed, 1 new, 3 unchanged" in printed
    assert "removed: db1" in printed
    assert "1 minion removed; 1 new minion" in printed
    assert "gone" not in printed
    assert "new: db2" in printed


def test_a_secret_changed(tree: Path, ask: Ask) -> None:
    edit(tree, "base/common.sls", "earl-grey-7", "earl-grey-8")
    for form in ("text", "markdown", "json", "minions"):
        code, printed = ask("--format", form)
        assert code == 2
        assert "earl-grey" not in printed
    assert "secret changed" in ask()[1]
    assert '"earl-grey-7" -> "earl-grey-8"' in ask("--reveal")[1]


def test_environments(tree: Path, ask: Ask) -> None:
    code, printed = ask("--environments", "base", "next")
    assert code == 2
    assert '~ motd: "hello" -> "next"' in printed
    code, printed = ask("--environments", "base", "prod")
    assert code == 1
    assert "unknown environment 'prod'; known: 'base', 'next'" in printed
    assert "`environments:`" in printed


def test_environments_that_are_not_named_have_a_remedy(tree: Path, ask: Ask) -> None:
    edit(tree, "mkdocs.yml", ", environments: [base, next]", "")
    edit(tree, "master", ", next: [next]", "")
    code, printed = ask("--environments", "base", "prod")
    assert code == 1
    assert "a comparison needs two environments, but there are fewer. The" in printed
    assert "`environments:`" in printed


def test_an_environment_without_a_top_file(tree: Path, ask: Ask) -> None:
    """Salt gives nothing there, which is no change of every key."""
    (tree / "next/top.sls").unlink()
    for form in ("text", "markdown"):
        code, printed = ask("--environments", "base", "next", "--format", form)
        assert code == 2
        assert "Pillar: nothing to compare on 4 minions" in printed
        assert "next has no top file" in printed
        assert "nginx" not in printed


def save(folder: Path, name: str) -> str:
    file = str(folder / name)
    assert run(["compile", "--format", "result", "--output", file]) == 0
    return file


def test_saved_results(tree: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "k")
    before = save(tree, "before.json")
    edit(tree, "base/web.sls", "workers: 4", "workers: 8")
    edit(tree, "base/common.sls", "earl-grey-7", "earl-grey-8")
    after = save(tree, "after.json")
    code, printed = ask(before, after)
    assert code == 2
    assert "~ nginx:workers: 4 -> 8" in printed
    assert "secret changed" in printed
    assert ask(before, before)[0] == 0
    code, printed = ask(before, "HEAD")
    assert code == 1
    assert "the other side must be one too" in " ".join(printed.split())


def test_secrets_of_other_keys_are_unknown(tree: Path, ask: Ask) -> None:
    before = save(tree, "before.json")
    edit(tree, "base/common.sls", "earl-grey-7", "earl-grey-8")
    after = save(tree, "after.json")
    code, printed = ask(before, after)
    assert code == 0
    assert "PILLARBOOK_TOKEN_KEY" in printed
    assert "changed (" not in printed


@pytest.mark.parametrize("is_repository", [True, False])
def test_saved_results_that_are_not_there(tree: Path, ask: Ask, is_repository: bool) -> None:
    if not is_repository:
        (tree / ".git").rename(tree / "git")
    code, printed = ask("missing.json", "other.json")
    assert code == 1
    assert ".json' does not exist, and no revision has this name" in printed
    assert "git fetch" not in printed
    (tree / "other.json").write_text("")
    assert "the file 'other.json' is not a saved result" in ask("main", "other.json")[1]
    (tree / "other.json").write_text("{}")
    code, printed = ask("./missing.json", "other.json")
    assert code == 1
    assert "'./missing.json' does not exist" in printed
    assert "the other side must be one too" in ask("main", "other.json")[1]


def test_a_branch_may_be_called_as_a_file_is(tree: Path, ask: Ask) -> None:
    git(tree, "branch", "old.json")
    assert ask("old.json", "HEAD")[0] == 0


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda text: text[: len(text) // 2], id="cut off"),
        pytest.param(lambda text: text.replace('"leaves"', '"sheaves"'), id="another form"),
        pytest.param(lambda text: text.replace("result/2", "result/9"), id="another version"),
        pytest.param(lambda _: "{}", id="empty"),
    ],
)
def test_what_is_no_saved_result(tree: Path, ask: Ask, damage: Callable[[str], str]) -> None:
    before = save(tree, "before.json")
    other = tree / "other.json"
    other.write_text(damage(Path(before).read_text()))
    code, printed = ask(before, str(other))
    assert code == 1
    assert "is not a saved result" in printed
    assert "Traceback" not in printed


def test_a_bare_mirror(
    tree: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    edit(tree, "base/web.sls", "workers: 4", "workers: 8")
    commit_all(tree)
    bare = tmp_path_factory.mktemp("bare") / "bare.git"
    git(tree, "clone", "--quiet", "--bare", str(tree), str(bare))
    monkeypatch.chdir(bare)
    code, printed = ask("HEAD~1", "HEAD")
    assert code == 2
    assert "because of base/web.sls:2" in printed
    code, printed = ask("HEAD~1")
    assert code == 1
    assert "name two revisions" in printed


def test_what_cannot_be_compared(tree: Path, ask: Ask) -> None:
    code, printed = ask("nowhere")
    assert code == 1
    assert "nowhere" in printed
    shutil.rmtree(tree / ".git")
    code, printed = ask()
    assert code == 1
    assert "is not in a git repository" in printed


def test_what_is_out_of_reach_is_told(
    tree: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A partial clone has not fetched the base's file: no change is to be seen, and that is said."""
    edit(tree, "base/common.sls", "hello", "goodbye")
    commit_all(tree)
    git(tree, "config", "uploadpack.allowFilter", "true")
    git(tree, "clone", "--quiet", "--filter=blob:none", f"file://{tree}", "clone")
    monkeypatch.chdir(tree / "clone")
    for form in ("text", "markdown", "minions"):
        _, printed = ask("HEAD~1", "--format", form)
        assert "common.sls is not in this partial clone" in printed.replace("\\", "")
        assert "git fetch --refetch" in printed.replace("\\", "")


@pytest.mark.parametrize("sides", [("",), ("HEAD", "")], ids=["base", "head"])
def test_an_empty_revision_is_none(tree: Path, ask: Ask, sides: tuple[str, ...]) -> None:
    """A variable that is not set must not compare something else."""
    code, printed = ask(*sides)
    assert (code, "a revision is an empty text" in printed) == (1, True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("side", ["both", "base", "head"])
def test_a_minion_that_is_named_by_a_secret(tree: Path, ask: Ask, side: str) -> None:
    """The sides learn of each other's secrets, and find their minions all the same."""
    secret = "Hq7zR2vX9pLm4TkWb8Nd"
    edit(tree, "minions.yml", "db1", f"db-{secret}")
    was, now = (secret if side in (one, "both") else "none" for one in ("base", "head"))
    edit(tree, "base/common.sls", "earl-grey-7", was)
    commit_all(tree)
    write_files(tree, {"base/common.sls": f"motd: bye\ndb_password: {now}\n"})
    for form in ("text", "json", "markdown", "minions"):
        code, printed = ask("--format", form)
        assert (code, secret in printed, "internal error" in printed) == (2, False, False)
