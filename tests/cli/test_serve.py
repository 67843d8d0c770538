"""The real server, as people start it: what they change is what they see."""

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.fleets import write_files
from tests.support.forked.commands import forked

from pillarbook.cli.main import cli

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds; a server that is fast may stand on a machine that is busy."""
CONFIGURATION = """\
site_name: Sample
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook: {master: master, inventory: minions.yml}
"""
WITH_TEMPLATES = CONFIGURATION.replace("pillarbook}\n", "pillarbook, custom_dir: mine}\n")
SOURCES = {
    "mkdocs.yml": CONFIGURATION,
    "pages/index.md": "# Front\n\nBy hand.\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions:\n  web1: {grains: grains.json}\n",
    "grains.json": '{"os": "Debian"}',
    "pillar/top.sls": "base: {'*': [web]}\n",
    "pillar/web.sls": "greeting: hello-{{ grains.os }}\n",
    "mine/main.html": '{% extends "base.html" %}{% block footer %}first-footer{% endblock %}',
}
COMMANDS = ("pillarbook", "mkdocs")
HOLDING = """\
import pathlib
import time

def on_env(env, config, files):
    while pathlib.Path("hold").exists():
        time.sleep(0.05)
"""
"""A hook that lets a build wait before its pages are written, as long as there is a file."""


@dataclass
class Server:
    """A server that runs, and the tree that it serves."""

    process: subprocess.Popen[bytes]
    port: int
    tree: Path
    temporary: Path

    def get(self, page: str) -> str:
        url = f"http://127.0.0.1:{self.port}/{page}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def ask_as(self, host: str, page: str = "/index.html") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", page, headers={"Host": host})
        return connection.getresponse().status

    def wait_for(self, text: str, page: str = "minions/web1.html") -> None:
        """Wait until a page has a text."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if text in self.get(page):
                    return
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None, self.said()
            time.sleep(0.05)
        raise AssertionError(f"{text} is not on {page}; the server said:\n{self.said()}")

    def wait_until_said(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.said():
            assert time.monotonic() < end, self.said()
            time.sleep(0.05)

    def write(self, name: str, text: str) -> None:
        (self.tree / name).write_text(text)

    def said(self) -> str:
        return (self.tree.parent / "said").read_text()

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(
    folder: Path, *command: str, trust: bool = False, options: tuple[str, ...] = ()
) -> Server:
    """Start a server on a new tree."""
    tree, temporary, port = folder / "tree", folder / "tmp", free_port()
    write_files(tree, SOURCES)
    temporary.mkdir()
    if trust:
        (tree / "mkdocs.yml").write_text(WITH_TEMPLATES)
    environment = {**os.environ, "TMPDIR": str(temporary), "PILLARBOOK_TRUST": str(int(trust))}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [*command, "serve", "--dev-addr", f"127.0.0.1:{port}", *options],
            cwd=tree,
            env=environment,
            stdout=said,
            stderr=said,
        )
    return Server(process, port, tree, temporary)


@pytest.fixture(params=COMMANDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Give a server with a theme of its own, from either command."""
    started = start(tmp_path, forked(request.param), trust=True)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()


@pytest.fixture
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Give a server that ``pillarbook serve`` started on a tree that nobody trusts."""
    started = start(tmp_path, *getattr(request, "param", [forked()]), options=("--timing",))
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()


@pytest.mark.sample(1)
def test_what_is_changed_is_what_is_seen(server: Server) -> None:
    server.wait_for("hello-Debian")
    server.write("pillar/web.sls", "greeting: good-morning\n")
    server.wait_for("good-morning")
    server.write("pillar/web.sls", "greeting: {{ grains.os }}-again\n")
    server.write("grains.json", '{"os": "Alpine"}')
    server.wait_for("Alpine-again")
    server.write("minions.yml", SOURCES["minions.yml"] + "  db1: {}\n")
    server.wait_for("db1", "minions/index.html")
    server.write("pages/index.md", "# Another front\n")
    server.wait_for("Another front", "index.html")
    server.write("mine/main.html", SOURCES["mine/main.html"].replace("first", "second"))
    server.wait_for("second-footer")
    (server.tree / "other").mkdir()
    server.write("other/top.sls", "base: {'*': [web]}\n")
    server.write("other/web.sls", "greeting: from-elsewhere\n")
    server.write("master", "pillar_roots: {base: [other]}\n")
    server.wait_for("from-elsewhere")
    server.write("other/web.sls", "greeting: from-the-new-root\n")
    server.wait_for("from-the-new-root")
    assert server.stop() == 0
    assert "Traceback" not in server.said()
    assert list(server.temporary.iterdir()) == []
    assert not (server.tree / "site").exists()


@pytest.mark.slow
def test_the_page_that_is_shown_comes_before_the_site(tmp_path: Path) -> None:
    server = start(tmp_path, forked(), trust=True)
    try:
        server.write("hold.py", HOLDING)
        server.write("mkdocs.yml", CONFIGURATION + "hooks: [hold.py]\n")
        server.wait_for("hello-Debian")
        before = server.get("minions/web1.html")
        server.write("hold", "")
        server.write("pillar/web.sls", "greeting: good-morning\npassword: Kr7mXq29vT4p\n")
        server.wait_for("good-morning")
        shown, beside = server.get("minions/web1.html"), server.get("minions/web1.json")
        assert "good-morning" in beside
        assert "Kr7mXq29vT4p" not in shown + beside
        assert "password" not in server.get("keys/index.html")
        (server.tree / "hold").unlink()
        server.wait_for("password", "keys/index.html")
        assert "Kr7mXq29vT4p" not in server.get("minions/web1.html")
        server.write("pillar/web.sls", SOURCES["pillar/web.sls"])
        server.wait_for("hello-Debian")
        assert _without_epoch(server.get("minions/web1.html")) == _without_epoch(before)
    finally:
        server.process.kill()
        server.process.wait()


def _without_epoch(page: str) -> str:
    """Return a page without the number by which it asks for a newer one."""
    return re.sub(r"livereload\(\d+, \d+\)", "livereload", page)


def test_faults_are_told_and_the_last_site_is_served(server: Server) -> None:
    server.wait_for("hello-Debian")
    server.write("mkdocs.yml", "site_name: [\n")
    server.wait_until_said("node content")
    server.wait_for("hello-Debian")
    server.write("mkdocs.yml", WITH_TEMPLATES)
    server.write("minions.yml", "minions: 3\n")
    server.wait_until_said("'minions' is a number, where a mapping is needed")
    server.wait_for("hello-Debian")
    server.write("minions.yml", SOURCES["minions.yml"])
    server.write("mine/main.html", "{% block %}")
    server.wait_until_said("mine/main.html:1: expected token")
    server.wait_for("hello-Debian")
    server.write("mine/main.html", SOURCES["mine/main.html"])
    server.write("pillar/web.sls", "greeting: [\n")
    server.wait_for("does not render", "diagnostics.html")
    server.write("pillar/web.sls", "greeting: well-again\n")
    server.wait_for("well-again")
    assert server.stop() == 0
    assert "Traceback" not in server.said()
    assert list(server.temporary.iterdir()) == []


@pytest.mark.slow
def test_pages_that_are_served_load_themselves_anew(own: Server) -> None:
    own.wait_for("hello-Debian")
    page = own.get("minions/web1.html")
    assert "livereload(" in page
    policy = page[page.index("Content-Security-Policy") :].partition(">")[0]
    assert "'unsafe-inline'" in policy
    assert "connect-src 'self'" in policy


@pytest.mark.slow
def test_the_command_says_where_and_what(own: Server) -> None:
    own.wait_for("hello-Debian")
    own.write("pillar/top.sls", "base: {'*': [web, missing]}\n")
    own.wait_for("missing")
    own.write("mkdocs.yml", CONFIGURATION + "hooks: [evil.py]\n")
    own.wait_until_said("--trust")
    assert own.stop() == 0
    said = own.said().splitlines()
    assert f"pillarbook: serving at http://127.0.0.1:{own.port}/ (Ctrl-C to stop)" in said
    assert (
        "pillarbook: mkdocs.yml:6: hooks run Python code; add --trust if you trust this tree"
        in (said)
    )
    assert sum("missing" in line for line in said) == 1
    times = [line for line in said if not line.startswith("pillarbook: ")]
    assert [line.partition(" ")[0] for line in times[:3]] == ["reading", "compiling", "writing"]
    assert len(times) == 3 * sum(" built in " in line for line in said)


REAL = [sys.executable, "-m", "pillarbook"]
"""The command in a process that starts from nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("own", [REAL], indirect=True, ids=["real"])
def test_it_ends_while_it_serves(own: Server) -> None:
    own.wait_for("hello-Debian")
    assert own.stop() == 0
    assert "Traceback" not in own.said()
    assert list(own.temporary.iterdir()) == []


@pytest.mark.slow
def test_it_ends_while_it_builds(own: Server) -> None:
    loop = "{% for number in range(99999) %}"
    own.write("pillar/web.sls", f"x: {loop * 3}{'{% endfor %}' * 3}\n")
    end = time.monotonic() + PATIENCE
    while not list(own.temporary.glob("*/.site.pillarbook-*")):
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)
    assert own.stop() == 0
    assert own.said() == ""
    assert list(own.temporary.iterdir()) == []


def test_it_ends_when_told_by_the_system(own: Server) -> None:
    own.wait_for("hello-Debian")
    assert own.stop(signal.SIGTERM) == 128 + signal.SIGTERM
    assert list(own.temporary.iterdir()) == []


@pytest.mark.slow
def test_what_a_killed_server_left_is_removed(own: Server) -> None:
    own.wait_for("hello-Debian")
    (left,) = own.temporary.glob("pillarbook-serve-*")
    stale = own.temporary / "pillarbook-serve-stale"
    shutil.copytree(left, stale)
    os.utime(stale, (0, 0))
    os.utime(left, (0, 0))
    second = [forked(), "serve", "--dev-addr", f"127.0.0.1:{own.port}"]
    environment = {**os.environ, "TMPDIR": str(own.temporary)}
    ended = subprocess.run(
        second, cwd=own.tree, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        f"pillarbook: cannot serve at http://127.0.0.1:{own.port}/: Address already in use\n"
    )
    assert list(own.temporary.iterdir()) == [left]
    assert "hello-Debian" in own.get("minions/web1.html")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        pytest.param("plugins: [", "mkdocs.yml:1: ", id="no YAML"),
        pytest.param(CONFIGURATION + "hooks: [x.py]\n", "--trust", id="untrusted"),
        pytest.param(
            CONFIGURATION + "dev_addr: 0.0.0.0:8000\n", "mkdocs.yml:6: `dev_addr`", id="open"
        ),
        pytest.param(CONFIGURATION.replace("minions.yml", "x.yml"), "x.yml", id="no inventory"),
        pytest.param(
            CONFIGURATION + "dev_addr: nonsense\n", "mkdocs.yml:6: dev_addr: ", id="no address"
        ),
    ],
)
def test_what_cannot_be_served_is_told_at_once(
    configuration: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_files(tmp_path, SOURCES | {"mkdocs.yml": configuration}))
    ended = subprocess.run(
        [forked(), "serve"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert ended.returncode == 1
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.sample(1)
def test_it_answers_its_own_host_only(server: Server) -> None:
    server.wait_for("hello-Debian")
    assert server.ask_as("localhost:80") == 200
    assert server.ask_as("rebound.example") == 421
    assert server.ask_as("rebound.example", "/livereload/1/1") == 421


@pytest.mark.slow
def test_the_help_names_every_option() -> None:
    shown = CliRunner().invoke(cli, ["serve", "--help"]).output
    assert all(option in shown for option in ("--config-file", "--dev-addr", "--allow", "--trust"))
    assert "127.0.0.1:8000" in shown
