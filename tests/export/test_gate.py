"""No secret gets into an export, whatever lets it through; and an older file stays."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.exports import read_bytes, read_sqlite
from tests.support.leaky import SECRET, write_leaky

from pillarbook.cli.main import run
from pillarbook.export import minion_records, sqlite_file
from pillarbook.export.searched import OVERLAP, SecretGate
from pillarbook.redact import SecretStore
from pillarbook.redact.leak_errors import LeakError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.session.report_source import SessionReport


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_leaky(tmp_path / "tree")
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path / "tree"


def change(owner: Any, name: str, leak: Callable[[Any], Any]) -> Callable[[Any], None]:
    def mutate(monkeypatch: pytest.MonkeyPatch) -> None:
        before = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *words, **named: leak(before(*words, **named)))

    return mutate


LONG = "x" * 4090 + SECRET + "x" * 9000
"""A text of which a page of a SQLite file holds a part; its secret is in two pages."""
COMMENT = f"CREATE TABLE more (x TEXT DEFAULT '{SECRET}')"
LEAKS = {
    "tokens": change(SecretStore, "token", lambda _: SECRET),
    "values": change(minion_records, "write_leaf", lambda rows: [(SECRET, *rows[0][1:])]),
    "long values": change(minion_records, "write_leaf", lambda rows: [(LONG, *rows[0][1:])]),
    "quoted values": change(
        minion_records, "write_leaf", lambda rows: [(f'"{SECRET}"', *rows[0][1:])]
    ),
    "names": change(minion_records, "write_name", lambda text: f"{text}{SECRET}"),
    "grains": change(SessionReport, "grains", lambda grains: {**grains, SECRET: 1}),
    "the file alone": change(sqlite_file, "create_statements", lambda found: [*found, COMMENT]),
}


@pytest.mark.sample(10)
@pytest.mark.parametrize("form", ["sqlite", "csv"])
@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("before", [None, "before"])
def test_nothing_gets_out(
    leak: str,
    form: str,
    before: str | None,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tree / "out").mkdir()
    file = tree / "out" / "fleet"
    if before is not None:
        file.write_text(before)
    LEAKS[leak](monkeypatch)
    assert run(["export", "--format", form, "--output", "out/fleet"]) == 3
    assert [path.name for path in (tree / "out").iterdir()] == (["fleet"] if before else [])
    assert before is None or file.read_text() == before
    out, err = capfd.readouterr()
    assert SECRET not in out + err
    assert "nothing is written, because" in err
    assert "contains the secret of `db:password`" in err


@pytest.mark.parametrize("form", ["sqlite", "csv"])
def test_without_a_leak_there_is_a_file_without_the_secret(form: str, tree: Path) -> None:
    assert run(["export", "--format", form, "--output", "fleet"]) == 0
    given = dict(read_bytes(tree / "fleet"))
    assert any(b"db:password" in data for data in given.values())
    assert all(SECRET.encode() not in data for data in given.values())


def test_rows_are_the_same_however_many_are_written_together(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "the key of these tests")
    assert run(["export", "--output", "many"]) == 0
    monkeypatch.setattr(sqlite_file, "BATCH", 2)
    assert run(["export", "--output", "few"]) == 0
    assert read_sqlite(tree / "few") == read_sqlite(tree / "many")


def test_a_long_text_is_cut_by_the_file(tmp_path: Path) -> None:
    """So the bytes alone would not show it: the texts are searched, too."""
    with closing(sqlite3.connect(tmp_path / "x")) as connection:
        connection.execute("CREATE TABLE t (x TEXT)")
        places = range(3000, 8000, len(SECRET) - 1)
        for at in places:
            connection.execute("INSERT INTO t VALUES (?)", ("x" * 3000 + SECRET + "x" * at,))
        connection.commit()
    assert (tmp_path / "x").read_bytes().count(SECRET.encode()) < len(places)


@pytest.mark.parametrize("cut", [1, 7, len(SECRET) - 1])
def test_a_secret_over_the_border_of_blocks_is_found(cut: int) -> None:
    store, known = SecretStore(), SecretIndex()
    store.add(SECRET, ("db", "password"))
    known.follow(store)
    start, end = SECRET[:cut].encode(), SECRET[cut:].encode()
    blocks = [b"x" * (2 * OVERLAP) + start, end + b"y"]
    given = list[bytes]()
    with pytest.raises(LeakError):
        given.extend(SecretGate(known).search_blocks(blocks, "the file"))
    assert b"".join(given) == blocks[0]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["export"], 1),
        (["export", "--output", "no/such/folder"], 1),
        (["export", "--output", "x", "--format", "xml"], 1),
        (["export", "--output", "/dev/null"], 0),
    ],
)
def test_a_refused_call_is_one_sentence(
    words: list[str], code: int, tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tree.iterdir())
    assert run(words) == code
    assert sorted(tree.iterdir()) == before
    assert "Traceback" not in capfd.readouterr().err
