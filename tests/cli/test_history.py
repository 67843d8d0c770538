"""``build --history``: what each build changed, kept in a folder and shown on pages."""

import re
import shutil
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.histories import (
    BANNER,
    EDITS,
    FILES,
    KEY,
    SECRETS,
    all_built,
    build,
    built,
    commit,
    commits_of,
    entries,
    folder,
    plain,
    section,
)
from tests.support.leaky import files_of
from tests.support.repositories import git

from pillarbook.cli.main import run
from pillarbook.redact import SecretStore
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.report import history_entry

__all__ = ["all_built", "built", "folder"]


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
    assert f"{commits[1]} 2026-01-02 app: user changed www → nginx both of web*" in page
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


@pytest.mark.slow
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
