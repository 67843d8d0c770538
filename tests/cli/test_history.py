"""``build --history``: what each build changed, kept in a folder and shown on pages."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.leaky import files_of
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.cli.history_folder import HistoryFolder
from pillarbook.cli.main import run
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.redact import SecretStore
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.tokens import TokenKey
from pillarbook.report import history_entry
from pillarbook.report.history_entry import write_entry

KEY = "a key for the tests of histories, 0123456789"
SECRETS = ("kL9mPq2rS7tV4w", "vB3nHj8xZ5cQ1y")
BANNER = "wintermoth418kesh"
FILES = {
    "mkdocs.yml": "site_name: Report\ntheme: {name: pillarbook}\nplugins:\n"
    "  - pillarbook: {master: master, inventory: minions.yml}\n",
    "docs/index.md": "# Report\n",
    ".gitignore": "site/\nhistory/\nother/\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [common], 'web*': [web]}\n",
    "pillar/common.sls": f"motd: hello\ndb: {{password: {SECRETS[0]}}}\nold: 1\n",
    "pillar/web.sls": "app:\n  port: {{ 80 if grains.id == 'web1' else 81 }}\n  user: www\n",
}
EDITS: dict[str, dict[str, str]] = {
    "a value": {"pillar/web.sls": FILES["pillar/web.sls"].replace("www", "nginx")},
    "nothing": {"README": "x\n"},
    "a minion": {"minions.yml": "minions: {web1: {}, web2: {}, db1: {}, web3: {}}\n"},
    "a secret": {"pillar/common.sls": FILES["pillar/common.sls"].replace(*SECRETS)},
    "a key": {"pillar/common.sls": f"motd: hello\ndb: {{password: {SECRETS[1]}}}\n"},
    "a mapping": {
        "pillar/web.sls": "app:\n  port: {{ 80 if grains.id == 'web1' else 81 }}\n  user: nginx\n"
        "  tls: {cert: {{ grains.id }}, on: true}\n"
    },
}
"""What each commit after the first one changes."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository before its first build."""
    tree = tmp_path / "tree"
    tree.mkdir()
    start(tree)
    commit(write_files(tree, FILES), 1)
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    return tree


@pytest.fixture(scope="module")
def all_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository that was built after each edit; for tests that only read it."""
    tree = tmp_path_factory.mktemp("built")
    start(tree)
    commit(write_files(tree, FILES), 1)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tree)
        patched.setenv("PILLARBOOK_TOKEN_KEY", KEY)
        build_all(tree, patched)
    return tree


@pytest.fixture
def built(all_built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that repository, to work in."""
    tree = shutil.copytree(all_built, tmp_path / "tree", symlinks=True)
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    return tree


def commits_of(folder: Path) -> list[str]:
    return git(folder, "log", "--reverse", "--format=%H").split()


def commit(folder: Path, number: int) -> str:
    return commit_all(folder, f"2026-01-{number:02}")


def build(monkeypatch: pytest.MonkeyPatch, number: int = 1, *words: str) -> int:
    """Build on a day of January."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_767_236_400 + 86_400 * (number - 1)))
    return run(["build", "--history", "history", *words])


def build_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build at first, and after each edit."""
    assert build(monkeypatch) == 0
    for number, edit in enumerate(EDITS.values(), 2):
        write_files(folder, edit)
        commit(folder, number)
        assert build(monkeypatch, number) == 0


def entries(folder: Path) -> list[Any]:
    return [json.loads(file.read_text()) for file in sorted((folder / "history").iterdir())]


def plain(file: Path) -> str:
    """Return the text of a page's content."""
    page = file.read_text().partition('<div class="pillarbook">')[2]
    return " ".join(re.sub(r"<[^>]*>", " ", page).replace("&rarr;", "→").split())


def section(file: Path) -> str:
    """Return the text of a page's history."""
    text = plain(file)
    return text[text.index("History What changed") :] if "History What changed" in text else ""


def test_each_build_adds_what_it_changed(all_built: Path) -> None:
    commits = commits_of(all_built)
    kept = entries(all_built)
    told = [
        (
            one["commit"]["id"],
            [(result["outcome"]) for result in one["results"]],
            [(change["kind"], change["path"], change.get("after")) for change in one["changes"]],
        )
        for one in kept
    ]
    token = kept[3]["changes"][0]["after"]
    assert token == {"redacted": "key names a password", "token": token["token"]}
    assert told[:5] == [
        (commits[0], [], []),
        (commits[1], [], [("changed", ["app", "user"], "nginx")]),
        (commits[3], ["new"], []),
        (commits[4], [], [("changed", ["db", "password"], token)]),
        (commits[5], [], [("removed", ["old"], None)]),
    ]
    assert [one["start"] for one in kept] == [True, *[False] * 5]
    assert [one["number"] for one in kept] == [1, 2, 3, 4, 5, 6]
    # A new line, another one, and one that is no longer there.
    causes = [
        [change["commits"] and one["commits"][0] for change in one["changes"]] for one in kept
    ]
    assert [cause[0]["id"] for cause in causes if cause] == [
        commits[number] for number in (1, 4, 5, 6)
    ]
    assert {cause[0]["author"] for cause in causes if cause} == {None}
    assert kept[3]["affected"] == [{"who": "all 4 minions", "members": [[0, 3]]}]
    assert {file.stat().st_mode & 0o777 for file in (all_built / "history").iterdir()} == {0o600}


def test_pages_show_what_each_build_changed(all_built: Path) -> None:
    commits = [one[:7] for one in commits_of(all_built)]
    page = plain(all_built / "site/history.html")
    assert "2026-01-01 03:00 commit" in page
    assert "The first report." in page
    assert page.index("2026-01-07 03:00") < page.index("2026-01-06 03:00")
    assert f"{commits[1]} 2026-01-02 app: user changed www → nginx all 2 of web*" in page
    assert f"up to {commits[3]} new web3" in page
    assert re.search(r"db: password secret changed \(token \w{16} → \w{16}\) all 4 minions", page)
    assert "2026-01-03 03:00" not in page
    minion = section(all_built / "site/minions/web1.html")
    assert f"2026-01-07 03:00 up to {commits[6]} 1 change" in minion
    assert f"2026-01-06 03:00 {commits[5]} 2026-01-06 old removed 1" in minion
    assert f"2026-01-02 03:00 {commits[1]} 2026-01-02 app: user changed www → nginx" in minion
    assert f"2026-01-04 03:00 up to {commits[3]} new" in section(
        all_built / "site/minions/web3.html"
    )
    assert "nginx" not in section(all_built / "site/minions/db1.html")
    assert "app: user changed www → nginx" in section(all_built / "site/keys/app.html")
    # A key of a mapping that was added as a whole, with other values on other minions.
    assert "app: tls added 4 different values" not in (
        own := section(all_built / "site/keys/app~tls~cert.html")
    )
    assert f"2026-01-07 03:00 {commits[6]} 2026-01-07 app:tls:cert added web1 web1" in own.replace(
        ": ", ":"
    )
    assert section(all_built / "site/keys/app~port.html") == ""
    assert section(all_built / "site/keys/motd.html") == ""
    html = (all_built / "site/history.html").read_text()
    for address in ("app.html", "app.html#k-app.user", "db.html#k-db.password"):
        assert f'<a href="keys/{address}">' in html
    navigation = (all_built / "site/index.html").read_text()
    assert 'href="history.html"' in navigation


def test_without_the_option_nothing_is_kept_or_shown(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767236400")
    assert run(["build"]) == 0
    shown = (b"history.html", b'id="history"', b"pillarbook.history")
    files = files_of(built / "site")
    assert [name for name, data in files.items() if any(one in data for one in shown)] == []
    assert [name for name in files if "history" in name] == []
    shutil.rmtree(built / "history")
    assert run(["build", "--site-dir", "other"]) == 0
    assert files_of(built / "other") == files_of(built / "site")


def test_authors_are_named_if_pages_name_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = FILES["mkdocs.yml"].replace("yml}", "yml, pages: {authors: true}}")
    write_files(folder, {"mkdocs.yml": text})
    assert build(monkeypatch, 1) == 0
    write_files(folder, EDITS["a value"] | EDITS["a key"])
    commit(folder, 2)
    assert build(monkeypatch, 2) == 0
    author = git(folder, "log", "-1", "--format=%an").strip()
    assert [one["author"] for entry in entries(folder) for one in entry["commits"]] == [author]
    assert plain(folder / "site/history.html").count(f", {author}") == 3


def test_no_secret_is_in_a_file_or_on_a_page(all_built: Path) -> None:
    known, store = SecretIndex(), SecretStore()
    for secret in SECRETS:
        store.add(secret, ("db", "password"))
    known.follow(store)
    written = files_of(all_built / "history") | files_of(all_built / "site")
    assert [name for name, data in written.items() if any(known.find(data))] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("key", [KEY, ""])
def test_a_secret_that_was_none_before_is_not_shown(
    key: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", key)
    shown: list[str] = []
    for number, text in enumerate((f"banner: {BANNER}", "banner: x", f"password: {BANNER}"), 1):
        write_files(folder, {"pillar/common.sls": f"{text}\n"})
        commit(folder, number)
        assert build(monkeypatch, number) == 0
        shown = [
            name for name, data in files_of(folder / "site").items() if BANNER.encode() in data
        ]
        assert ("history.html" in shown) is (number == 2)
    assert shown == []
    assert [
        name for name, data in files_of(folder / "history").items() if BANNER.encode() in data
    ] == []
    assert "had a value that is a secret now; it is redacted" in capfd.readouterr().err
    assert build(monkeypatch, 4) == 0
    assert capfd.readouterr().err.count("warning") == 1
    assert "banner changed <redacted> → x" in plain(folder / "site/history.html").replace(
        "&lt;redacted&gt;", "<redacted>"
    )


def test_a_secret_in_an_entry_stops_the_build(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert build(monkeypatch, 1) == 0
    before = files_of(folder / "history"), files_of(folder / "site")
    write_files(folder, EDITS["a value"])
    monkeypatch.setattr(history_entry, "describe_secrets", lambda _: SECRETS[0])
    monkeypatch.setattr("pillarbook.report.history_reader.SECRETS", SECRETS)
    assert build(monkeypatch, 2) == 3
    assert (files_of(folder / "history"), files_of(folder / "site")) == before
    out, err = capfd.readouterr()
    assert SECRETS[0] not in out + err
    assert "the entry of the history contains the secret of `db:password`" in err


@pytest.mark.slow
def test_the_same_builds_give_the_same_bytes(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = files_of(built / "history")
    assert build(monkeypatch, 8) == 0
    site = files_of(built / "site")
    assert build(monkeypatch, 8, "--strict", "--jobs", "2", "--site-dir", "other") == 0
    assert files_of(built / "other") == site
    shutil.rmtree(built / "history")
    for number, revision in enumerate(git(built, "log", "--reverse", "--format=%H").split(), 1):
        git(built, "checkout", "--quiet", revision)
        assert build(monkeypatch, number) == 0
    assert files_of(built / "history") == first


def damage_entries() -> Iterator[tuple[str, Callable[[Any], Any], str]]:
    """Yield what becomes of an entry, and what is said of it."""
    yield "truncated", lambda one: json.dumps(one)[:-9], "no complete JSON; remove it"
    yield "empty", lambda _: "", "no complete JSON"
    yield "deep", lambda _: "[" * 100_000, "no complete JSON"
    yield "no mapping", lambda _: "[]", "did not write it; move it elsewhere"
    yield "foreign", lambda _: '{"schema": "other/1"}', "did not write it; move it elsewhere"
    yield "newer", lambda one: json.dumps({**one, "schema": "pillarbook.history/2"}), "a newer pill"
    yield "changed", lambda one: json.dumps({**one, "left_out": 7}), "it was changed"
    yield "another key", lambda one: write_entry(one, TokenKey(b"x" * 32)), "another PILLARBOOK_TOK"
    yield "no seal", lambda one: write_entry(one, TokenKey()), "another PILLARBOOK_TOK"
    for part, wrong in (
        *(("minions", []), ("minions", None), ("time", "yesterday"), ("commit", {"id": "x"})),
        *(("number", "2"), ("changes", [{}]), ("affected", [{"who": "x", "members": [[0, 9]]}])),
    ):
        yield (
            f"{part} {wrong}",
            partial(_seal_again, {part: wrong}),
            "it is damaged; remove it",
        )


def _seal_again(wrong: Any, entry: Any) -> str:
    del entry["seal"], entry["token_key"]
    return write_entry({**entry, **wrong}, TokenKey(KEY.encode()))


def test_an_entry_that_cannot_be_used_is_left_out(
    built: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    history = built / "history"
    victim = sorted(history.iterdir())[1]
    whole = victim.read_text()
    for name, damage, why in damage_entries():
        victim.write_text(damage(json.loads(whole)))
        capfd.readouterr()
        left = HistoryFolder(history, LinkPolicy(), KEY.encode()).entries
        assert [one["number"] for one in left] == [1, 3, 4, 5, 6], name
        err = capfd.readouterr().err
        assert f"pillarbook: warning: {victim} is left out of the history: " in err, name
        assert why in err, name
        assert err.count("\n") == 1, name
    victim.unlink()
    os.mkfifo(history / "pipe.json")
    (history / "folder.json").mkdir()
    (history / "notes.txt").write_text("of the user")
    assert build(monkeypatch, 9) == 0
    err = capfd.readouterr().err
    assert "pipe.json is left out" in err
    assert "folder.json is left out" in err
    assert "notes.txt" not in err
    assert "nginx" not in plain(built / "site/history.html")
    assert "old removed 1" in plain(built / "site/history.html")


def test_only_the_first_files_that_are_left_out_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(9):
        (tmp_path / f"{number}.json").write_text("")
    assert HistoryFolder(tmp_path, LinkPolicy(), None).entries == ()
    assert f"warning: files of {tmp_path} that are left out, too: 6" in capfd.readouterr().err


def test_markup_in_an_entry_is_text(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a token key, anybody who can write to the built can write an entry."""
    monkeypatch.delenv("PILLARBOOK_TOKEN_KEY")
    markup = "<script>alert(1)</script>"

    def spoil(data: Any, path: tuple[Any, ...]) -> Any:
        if path == ():
            return markup
        key, *rest = path
        other = list(data) if isinstance(data, list) else dict(data)
        other[key] = spoil(data[key], tuple(rest))
        return other

    def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        if isinstance(data, dict | list):
            for key in data if isinstance(data, dict) else range(len(data)):
                yield from leaves(data[key], (*path, key))
        else:
            yield path

    for at, file in enumerate(sorted((built / "history").iterdir())[1:]):
        whole = json.loads(file.read_text())
        for number, path in enumerate(leaves(whole)):
            text = json.dumps(spoil(whole, path))
            (built / "history" / f"2025-{at}-{number:03}.json").write_text(text)
    assert build(monkeypatch, 9) == 0
    pages = [name for name, data in files_of(built / "site").items() if b"alert(1)" in data]
    assert "history.html" in pages
    assert [one for one in pages if markup in (built / "site" / one).read_text()] == []


def test_builds_at_once_lose_no_entry(folder: Path) -> None:
    def write(number: int) -> None:
        kept = HistoryFolder(folder / "history", LinkPolicy(), None)
        about = {"schema": "x", "time": "2026-01-01T00:00:00Z", "commit": None}
        kept.write(json.dumps({**about, "number": number}))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    assert sorted(one["number"] for one in entries(folder)) == list(range(40))


@pytest.mark.slow
def test_a_build_at_the_same_commit_as_another_keeps_both(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max((built / "history").iterdir())
    text = last.read_text()
    last.unlink()
    assert build(monkeypatch, 8) == 0  # has not seen the entry of the other
    last.write_text(text)
    assert build(monkeypatch, 9) == 0
    assert [one["number"] for one in entries(built)] == [1, 2, 3, 4, 5, 6, 6]


@pytest.mark.slow
def test_a_tree_without_git_has_its_first_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_files(tmp_path, FILES))
    assert build(monkeypatch, 1) == 0
    write_files(tmp_path, EDITS["a value"])
    assert build(monkeypatch, 2) == 0
    (kept,) = entries(tmp_path)
    assert (kept["commit"], kept["start"]) == (None, True)
    assert "The first report." in plain(tmp_path / "site/history.html")
    start(tmp_path)
    commit(tmp_path, 3)
    assert build(monkeypatch, 3) == 0
    assert (
        entries(tmp_path)[1]["not_compared"] == "the report before was not made in a git repository"
    )
    write_files(tmp_path, {"pillar/web.sls": "app: {user: other}\n"})
    commit(tmp_path, 4)
    assert build(monkeypatch, 4) == 0
    paths = {one["path"][1] for one in entries(tmp_path)[2]["changes"]}
    assert paths == {"user", "port"}


def test_a_shallow_clone_is_not_compared(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(monkeypatch, 1) == 0
    for number, name in enumerate(("a value", "a key"), 2):
        write_files(folder, EDITS[name])
        commit(folder, number)
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{folder}", "clone")
    shutil.copytree(folder / "history", tmp_path / "clone/history")
    monkeypatch.chdir(tmp_path / "clone")
    assert build(monkeypatch, 4) == 0
    kept = entries(tmp_path / "clone")
    assert len(kept) == 2
    assert "git fetch" in kept[1]["not_compared"]
    assert "Not compared: " in plain(tmp_path / "clone/site/history.html")
    assert build(monkeypatch, 5) == 0
    assert len(entries(tmp_path / "clone")) == 2


def test_the_site_may_not_replace_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert build(monkeypatch, 1, "--history", "site/history") == 1
    assert "which a new site would replace" in capfd.readouterr().err
    assert not (folder / "site").exists()


def test_a_file_is_no_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "history").write_text("x")
    assert build(monkeypatch, 1) == 1
    assert capfd.readouterr().err == "pillarbook: --history history: Not a directory\n"
    assert not (folder / "site").exists()


def test_a_link_that_leads_out_needs_permission(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside").mkdir()
    (folder / "history").symlink_to(tmp_path / "outside")
    assert build(monkeypatch, 1) == 1
    assert not (folder / "site").exists()
    assert list((tmp_path / "outside").iterdir()) == []
    assert build(monkeypatch, 1, "--allow", str(tmp_path / "outside")) == 0
    assert len(list((tmp_path / "outside").iterdir())) == 1


@pytest.mark.parametrize(
    "words", [["--since-report", "site"], ["--shard", "1/2", "--output", "part"]]
)
def test_what_does_not_go_together_is_refused(
    words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(monkeypatch, 1, *words) == 1
    assert not (folder / "history").exists()
