"""The gate is never blind: it finds each form of a secret in each type of file, wherever."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.written import KEY, SECRET, WRITERS

from pillarbook.publish import leak_gate
from pillarbook.publish.leak_gate import find_leaks
from pillarbook.redact import SecretStore
from pillarbook.redact.leak_errors import LeakError, UnsearchableError
from pillarbook.redact.secret_index import SecretIndex

FILES = (
    "index.html",
    "minions/web1.html",
    "minions/web1.json",
    "minions/web1.yaml",
    "assets/minions.js",
    "css/theme.css",
    "img/icon.svg",
    "sitemap.xml",
    "sitemap.xml.gz",
    "nested.gz",
    "notes.md",
    "robots.txt",
    "report.sarif",
    "data.bin",
    "NOEXTENSION",
    ".hidden",
    "a/b/c/d/e/f/deep.html",
)
SMALL = 4096
"""Bytes of a chunk in these tests."""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leak_gate, "CHUNK", SMALL)
    monkeypatch.setattr(leak_gate, "OVERLAP", SMALL // 4)


def knowing(*secrets: object) -> SecretIndex:
    store = SecretStore()
    for number, secret in enumerate(secrets):
        store.add(secret, ("db", f"password{number or ''}"))
    known = SecretIndex()
    known.follow(store)
    return known


def put(folder: Path, name: str, data: bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    for _ in range({"sitemap.xml.gz": 1, "nested.gz": 3}.get(name, 0)):
        data = gzip.compress(data, mtime=0)
    file.write_bytes(data)
    return file


def found_in(folder: Path, known: SecretIndex) -> list[str]:
    return [str(leak) for leak in find_leaks(folder, known)]


@pytest.mark.parametrize("name", FILES)
def test_each_form_is_found_in_each_type_of_file(name: str, tmp_path: Path) -> None:
    known = knowing("another-9secret", SECRET)
    before = b"x" * 40 + b"\n" + b"y" * 40 + b" "
    for form, write in WRITERS.items():
        written = write(SECRET).encode()
        file = put(tmp_path, name, before + written + b" z\nend\n")
        leaks = find_leaks(tmp_path, known)
        assert len(leaks) == 1, form
        assert leaks[0].key == "db:password1", form
        assert leaks[0].where == name + (", unpacked," if name.endswith(".gz") else ""), form
        offset = leaks[0].offset
        assert offset is not None, form
        assert len(before) <= offset <= len(before) + len(written), form
        file.unlink()


@pytest.mark.sample(8)
@pytest.mark.parametrize("writer", ["itself", "base64", "sha256", "json in html"])
@pytest.mark.parametrize("name", ["index.html", "sitemap.xml.gz", "data.bin", "web1.json"])
def test_it_is_found_wherever_it_stands(name: str, writer: str, tmp_path: Path) -> None:
    known = knowing(SECRET)
    written = WRITERS[writer](SECRET).encode()
    ends_of_chunks = range(SMALL - 80, SMALL + 2, 3)
    for before in (0, 1, *ends_of_chunks, 2 * SMALL - 7, 5 * SMALL + SMALL // 2):
        put(tmp_path, name, b"x" * before + written)
        assert len(find_leaks(tmp_path, known)) == 1, before


@pytest.mark.parametrize("name", ["index.html", "web1.json", "web1.yaml", "robots.txt"])
@pytest.mark.parametrize("line", ["MIIEpAIBAAKCAQEA1c7", "AbCdEf0123456789"])
def test_a_secret_of_many_lines_is_found_by_any_longer_one(
    line: str, name: str, tmp_path: Path
) -> None:
    put(tmp_path, name, json.dumps({"a": [1, f"see {line}", "b"]}).encode())
    assert len(find_leaks(tmp_path, knowing(KEY))) == 1


@pytest.mark.parametrize("name", ["index.html", "web1.yaml", "web1.json"])
def test_short_lines_are_found_together(name: str, tmp_path: Path) -> None:
    secret = "s3cr3t\nk7Zq9\nx1y2z3"
    put(tmp_path, name, f"<pre>\n{secret}\n</pre>".encode())
    assert len(find_leaks(tmp_path, knowing(secret))) == 1


@pytest.mark.parametrize("secret", ['a9", "b8c7d6', 'k7Zq", "', '{"a": 1, "b": "k7"}', ', "k7Zq9x'])
def test_what_breaks_json_may_be_within_a_secret(secret: str, tmp_path: Path) -> None:
    put(tmp_path, "a.json", json.dumps(["x", "y", "z"]).encode())
    put(tmp_path, "b.json", f'["x", "{secret}", "z"]'.encode())
    put(tmp_path, "c.json", json.dumps(["x", secret, "z"]).encode())
    assert len(find_leaks(tmp_path, knowing(secret))) == 2


def test_a_line_that_is_innocent_at_the_start_may_not_be_later(tmp_path: Path) -> None:
    secret = '"k7Zq9xYw"'
    put(tmp_path, "a.json", b'k7Zq9xYw", "b"')
    put(tmp_path, "b.json", b'"a", "k7Zq9xYw", "b"')
    assert [leak.where for leak in find_leaks(tmp_path, knowing(secret))] == ["b.json"]


@pytest.mark.parametrize("name", ["index.html", "img/a.svg", "sitemap.xml"])
@pytest.mark.parametrize(
    "text",
    ["pillar/<wbr>kL9m/<wbr>Pq2r/<wbr>S7tV", "<b>pillar/</b>kL9m/<span class='x'>Pq2r/</span>S7tV"],
)
def test_tags_within_a_word_hide_nothing(text: str, name: str, tmp_path: Path) -> None:
    put(tmp_path, name, f"<p>innocent</p>\n<code>{text}.sls</code>\n".encode())
    [leak] = find_leaks(tmp_path, knowing("kL9m/Pq2r/S7tV"))
    assert leak.offset == len("<p>innocent</p>\n")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("minions/hunter2hunter2.html", ["the name of the file minions/<redacted>.html"]),
        (
            "hunter2hunter2/a.html",
            ["the name of the folder <redacted>", "the name of the file <redacted>/a.html"],
        ),
        (
            "a/k7/Zq9xYw/b.html",
            ["the name of the folder a/<redacted>", "the name of the file a/<redacted>/b.html"],
        ),
    ],
    ids=["file", "folder", "both"],
)
def test_names_are_searched_and_shown_clean(name: str, shown: list[str], tmp_path: Path) -> None:
    put(tmp_path, name, b"")
    leaks = find_leaks(tmp_path, knowing("hunter2hunter2", "k7/Zq9xYw"))
    assert [leak.where for leak in leaks] == shown


@pytest.mark.parametrize("writer", ["base64 for URLs", "hex", "md5", "url, all"])
def test_names_are_searched_for_forms(writer: str, tmp_path: Path) -> None:
    put(tmp_path, f"a-{WRITERS[writer]('k7Zq9:xYw,1bQ83')}-b.html", b"")
    assert len(find_leaks(tmp_path, knowing("k7Zq9:xYw,1bQ83"))) == 1


def test_an_empty_folder_has_a_name_too(tmp_path: Path) -> None:
    (tmp_path / "a/hunter2hunter2").mkdir(parents=True)
    assert len(find_leaks(tmp_path, knowing("hunter2hunter2"))) == 1


def test_every_file_that_holds_one_is_named(tmp_path: Path) -> None:
    for number in range(20):
        put(tmp_path, f"{number:02}.html", b"<p>a</p>\n<p>hunter2hunter2</p>\n<p>b</p>\n")
    leaks = find_leaks(tmp_path, knowing("hunter2hunter2"))
    assert len(leaks) == 20
    assert str(LeakError("nothing is published", leaks)) == (
        "nothing is published, because 00.html contains the secret of `db:password` at byte 12, "
        "01.html contains the secret of `db:password` at byte 12, 02.html contains the secret of "
        "`db:password` at byte 12 and 17 more places do; if that is not a secret, add its "
        "key to `redact: allow` in mkdocs.yml"
    )


def test_a_key_that_holds_a_secret_is_shown_clean(tmp_path: Path) -> None:
    store = SecretStore()
    store.add("hunter2hunter2", ("of hunter2hunter2", "x"))
    known = SecretIndex()
    known.follow(store)
    put(tmp_path, "a", b"hunter2hunter2")
    assert found_in(tmp_path, known) == ["a contains the secret of `of <redacted>:x` at byte 0"]


@pytest.mark.parametrize("cut", [0, 1, 5, 20])
def test_a_broken_archive_is_searched_as_far_as_it_goes(cut: int, tmp_path: Path) -> None:
    packed = gzip.compress(b"hunter2hunter2 " + bytes(range(256)) * 400, mtime=0)
    (tmp_path / "a.gz").write_bytes(packed[: len(packed) - cut] + b"junk" * (cut == 1))
    assert len(find_leaks(tmp_path, knowing("hunter2hunter2"))) == 1


def test_an_archive_needs_no_name_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(gzip.compress(b"a") + gzip.compress(b"hunter2hunter2"))
    assert len(find_leaks(tmp_path, knowing("hunter2hunter2"))) == 1


def test_what_cannot_be_searched_is_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"a"
    for _ in range(7):
        data = gzip.compress(data)
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(UnsearchableError, match=r"a\.gz cannot be searched: .*too many times"):
        find_leaks(tmp_path, knowing("hunter2hunter2"))
    monkeypatch.setattr(leak_gate, "MAX_UNPACKED", 10_000)
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(20_000)))
    with pytest.raises(UnsearchableError, match="more than"):
        find_leaks(tmp_path, knowing("hunter2hunter2"))


def test_little_memory_makes_it_slower_and_not_blind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leak_gate, "MAX_SEEN", 10)
    for number in range(5):
        put(tmp_path, f"{number}.html", b"one\ntwo\nthree\nhunter2hunter2\n" * 300)
    assert len(find_leaks(tmp_path, knowing("hunter2hunter2"))) == 5


@pytest.mark.parametrize("leaky", ["", "b/2.html", "hunter2hunter2.txt", "z.gz"])
def test_several_processes_find_what_one_finds(leaky: str, tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, f"b/{number}.html", b"one\ntwo\n")
    if leaky:
        put(
            tmp_path,
            leaky,
            gzip.compress(b"hunter2hunter2") if "gz" in leaky else b"hunter2hunter2",
        )
    known = knowing("hunter2hunter2")
    alone = find_leaks(tmp_path, known)
    assert len(alone) == (2 if "txt" in leaky else bool(leaky))
    assert find_leaks(tmp_path, known, processes=3) == alone


def test_a_clean_site_is_searched_once_and_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        put(tmp_path, f"{number}.html", b"one\n")
    searched: list[str] = []
    search = leak_gate._Gate._look_into

    def note(self: Any, file: str) -> Any:
        searched.append(file)
        yield from search(self, file)

    monkeypatch.setattr(leak_gate._Gate, "_look_into", note)
    # A browser of another test may have left threads.
    monkeypatch.setattr("threading.active_count", lambda: 1)
    assert find_leaks(tmp_path, knowing("hunter2hunter2"), processes=3) == []
    assert searched == [str(tmp_path / f"{number}.html") for number in range(2)]


def test_a_clean_site_passes(tmp_path: Path) -> None:
    for name in FILES:
        put(tmp_path, name, b"<p>hunter2</p> admin true password\n" * 200)
    assert find_leaks(tmp_path, knowing("hunter2hunter2", True, "admin", 5, None)) == []
    assert find_leaks(tmp_path, SecretIndex()) == []
