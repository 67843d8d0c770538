"""The folder of ``build --history``: files that cannot be used, and where it may be."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.histories import (
    EDITS,
    FILES,
    KEY,
    all_built,
    build,
    built,
    commit,
    entries,
    folder,
    plain,
)
from tests.support.leaky import files_of
from tests.support.repositories import git
from tests.support.sides import start

from pillarbook.cli.history_folder import HistoryFolder
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.redact.tokens import TokenKey
from pillarbook.report.history_entry import write_entry

__all__ = ["all_built", "built", "folder"]


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


@pytest.mark.slow
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
