"""``--since-report``: an earlier report as the base of a comparison."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.changes.comparison import SinceReport
from pillarbook.cli.earlier_report import EarlierReportError, read_earlier_report
from pillarbook.cli.main import run
from pillarbook.inventory.reach import LinkPolicy

PILLAR = {"top.sls": "base: {'*': [web]}", "web.sls": "port: 80\n"}
CONFIGURATION = {
    "mkdocs.yml": "site_name: Report\ntheme: {name: pillarbook}\n"
    "plugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n",
    "docs/index.md": "# Report\n",
    ".gitignore": "site/\nold/\n",
}
LINKS = LinkPolicy()
COMMIT = "1f0c2aa0" * 5
ABOUT: dict[str, Any] = {
    "schema": "pillarbook.report/1",
    "commit": {"id": COMMIT, "modified": False},
    "time": "2026-01-31T03:00:00Z",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    start(tmp_path)
    write_files(write_fleet(tmp_path, PILLAR, {"web1": {}}, {}), CONFIGURATION)
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(folder: Path, about: Any) -> str:
    write_files(folder, {"old/report.json": about if isinstance(about, str) else json.dumps(about)})
    return str(folder / "old")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    report(tmp_path, ABOUT)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "old"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


def test_a_report_is_read_from_a_folder_a_file_and_a_server(tmp_path: Path, server: str) -> None:
    places = (f"{tmp_path}/old", f"{tmp_path}/old/", f"{tmp_path}/old/report.json", f"{server}/")
    found = [read_earlier_report(place, LINKS) for place in places]
    assert {(one.commit, one.time.hour, one.is_modified) for one in found} == {(COMMIT, 3, False)}


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ("no json", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ([], "it does not say `schema: pillarbook.report/1`"),
        ({**ABOUT, "schema": "other/1"}, "it does not say `schema: pillarbook.report/1`"),
        ({**ABOUT, "commit": None}, "was not made in a git repository"),
        ({**ABOUT, "commit": {"id": "HEAD"}}, "an unexpected form"),
        ({**ABOUT, "commit": {"id": f"{COMMIT}\n"}}, "an unexpected form"),
        ({**ABOUT, "commit": {"id": "--output=x" * 4}}, "an unexpected form"),
        ({**ABOUT, "time": "yesterday"}, "an unexpected form"),
        ({**ABOUT, "time": None}, "an unexpected form"),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(tmp_path: Path, about: Any, why: str) -> None:
    with pytest.raises(EarlierReportError, match="--since-report") as caught:
        read_earlier_report(report(tmp_path, about), LINKS)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_there_is_refused(tmp_path: Path, server: str) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for place, why in (
        (str(tmp_path / "nowhere"), "No such file"),
        (f"{tmp_path}\0", "it cannot be read"),
        (f"{server}/nowhere", "the server answers 404"),
        (str(tmp_path / "pipe.json"), "it is no regular file"),
        ("http://127.0.0.1:9", "it cannot be fetched"),
        ("https://", "it cannot be fetched"),
        ("http://[", "it cannot be fetched"),
        ("http://127.0.0.1:no/", "it cannot be fetched"),
        ("http://127.0.0.1/a b", "it cannot be fetched"),
    ):
        with pytest.raises(EarlierReportError, match=why):
            read_earlier_report(place, LINKS)


def test_diff_compares_with_the_commit_of_the_report(folder: Path, printed: Printed) -> None:
    first = git(folder, "rev-parse", "HEAD").strip()
    old = report(folder, {**ABOUT, "commit": {"id": first, "modified": True}})
    for port in (81, 82):
        commit_all(write_files(folder, {"pillar/web.sls": f"port: {port}\n"}))
    out = printed(["diff", "--since-report", old]).out
    assert f"from {first[:7]} (report of 2026-01-31 03:00 UTC) to working tree" in out
    assert "made with changes that its commit" in out
    assert "note: 2 commits since the report of 2026-01-31 03:00 UTC: " in out
    assert "port: 80 -> 82" in out


def test_a_commit_that_the_clone_lacks_ends_diff_with_a_remedy(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", "--since-report", report(folder, ABOUT)]) == 1
    assert f"git fetch origin {COMMIT}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "other", [["HEAD"], ["--since", "yesterday"], ["--environments", "a", "b"]]
)
def test_only_one_base_may_be_named(folder: Path, other: list[str]) -> None:
    assert run(["diff", "--since-report", report(folder, ABOUT), *other]) == 1


def test_build_compares_with_the_site_before_it(folder: Path) -> None:
    assert run(["build"]) == 0
    commit_all(write_files(folder, {"pillar/web.sls": "port: 81\n"}))
    assert run(["build", "--since-report", "site"]) == 0
    assert "1 change on 1 of 1 minion" in (folder / "site/index.html").read_text()
    assert "1 commit since the report of " in (folder / "site/changes/index.html").read_text()


def test_the_first_build_has_no_report_to_compare_with(folder: Path) -> None:
    assert run(["build", "--since-report", "site"]) == 0
    changes = (folder / "site/changes/index.html").read_text()
    assert "Not compared with <code>site</code>: No such file or directory." in changes


def test_a_report_names_a_commit_and_no_other_revision() -> None:
    assert SinceReport.check("main", ABOUT["time"], False) is None
    assert SinceReport.check(COMMIT.upper(), ABOUT["time"], False) is None


@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_no_message_has_the_password_of_an_address(path: str, server: str) -> None:
    address = server.replace("//", "//ci:hunter2-9Xk2@") + f"{path}?token=hunter2-9Xk2"
    with pytest.raises(EarlierReportError) as caught:
        read_earlier_report(address, LINKS)
    assert "hunter2" not in str(caught.value)
    assert server in str(caught.value)


def test_a_server_of_another_protocol_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"SSH-2.0-x\r\n" * 9)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(EarlierReportError, match="it cannot be fetched"):
            read_earlier_report(f"http://127.0.0.1:{listening.getsockname()[1]}", LINKS)
        thread.join()


@pytest.mark.parametrize("command", ["diff", "build"])
def test_a_link_that_leads_out_is_not_followed(
    command: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    report(outside, ABOUT)
    (folder / "report").symlink_to(outside / "old")
    assert run([command, "--since-report", "report"]) == 1
    assert not (folder / "site").exists()


def test_a_build_publishes_no_password_of_an_address(folder: Path) -> None:
    assert run(["build", "--since-report", "http://ci:hunter2-9Xk2@127.0.0.1:9/x?k=hunter2"]) == 0
    texts = [path.read_text() for path in (folder / "site").rglob("*.html")]
    assert any("http://127.0.0.1:9/x" in text for text in texts)
    assert not any("hunter2" in text for text in texts)
