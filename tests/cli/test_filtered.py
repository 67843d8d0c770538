"""Streams that are searched before they are written."""

import io
import json
import subprocess
import sys
from typing import Any

import click
import pytest

from pillarbook.cli.filtered import BLOCK, DataStream, MessageStream, filtered_streams
from pillarbook.cli.output import writer_of_json
from pillarbook.cli.summary import show_progress
from pillarbook.redact import SecretStore
from pillarbook.redact.leak_errors import LeakError
from pillarbook.redact.secret_index import SecretIndex

SECRET = "kL9mPq2rS7tV"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def make_known(*secrets: str) -> SecretIndex:
    store = SecretStore()
    for secret in secrets or (SECRET,):
        store.add(secret, ("db", "password"))
    known = SecretIndex()
    known.follow(store)
    return known


def write_data(*texts: str, known: SecretIndex | None = None) -> str:
    """Return what gets through of some texts; what is raised is told at its end."""
    below = io.StringIO()
    stream = DataStream(below, known or make_known())
    try:
        for text in texts:
            stream.write(text)
        stream.flush()
    except LeakError as error:
        return f"{below.getvalue()}!{error.exit_code}"
    return below.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a": "x\x9b31m"}\n', '{"a": "x\\u009b31m"}\n'),
        ('{"a": "x\u202ey"}\n', '{"a": "x\\u202ey"}\n'),
        ("\x1b[1mé\x1b[0m\n", "\x1b[1mé\x1b[0m\n"),
    ],
)
def test_json_gives_no_commands_to_a_terminal(text: str, shown: str) -> None:
    for below, expected in ((Terminal(), shown), (io.StringIO(), text)):
        stream = DataStream(below, make_known())
        stream.write(text)
        stream.write_searched(text)
        stream.flush()
        assert below.getvalue() == 2 * expected
    assert '"' not in text or json.loads(text) == json.loads(shown)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a\n", "b\n"], "a\nb\n"),
        (["a\n", f"b {SECRET} c\n", "d\n"], "a\n!3"),
        (["a\nb", SECRET[:5], SECRET[5:], "\nc\n"], "a\n!3"),
        ([f"a {SECRET}"], "!3"),
        ([f"{SECRET}\n"], "!3"),
        (["x" * (BLOCK - 5), SECRET, "\n"], "!3"),
        (["", "ab"], "ab"),
    ],
)
def test_data_ends_before_the_line_with_a_secret(texts: list[str], expected: str) -> None:
    assert write_data(*texts) == expected


def test_a_secret_is_found_wherever_a_block_ends() -> None:
    for before in range(BLOCK - 20, BLOCK + 3):
        assert "V" not in write_data("x" * before, SECRET, "y" * 20)
        assert SECRET not in write_data("x" * before + SECRET[:6], SECRET[6:] + "y" * BLOCK)


def test_nothing_is_written_after_a_secret() -> None:
    below = io.StringIO()
    stream = DataStream(below, make_known())
    with pytest.raises(LeakError, match=r"standard output is not complete, because standard .*"):
        print(SECRET, file=stream, flush=True)
    print("more", file=stream, flush=True)
    assert below.getvalue() == ""


def write_message(*texts: str, known: SecretIndex) -> str:
    below = io.StringIO()
    stream = MessageStream(below, known)
    for text in texts:
        stream.write(text)
    stream.flush()
    return below.getvalue()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a\n"], "a\n"),
        ([f"a {SECRET} b {SECRET}\nc\n"], "a <redacted> b <redacted>\nc\n"),
        ([SECRET[:5], SECRET[5:]], "<redacted>"),
        ([f"\x1b[1m{SECRET[:5]}\x1b[0m{SECRET[5:]}\n"], "<redacted>\n"),
        (["x" * (BLOCK + 5), f"{SECRET}\n"], "x" * (BLOCK + 5) + "<redacted>\n"),
        (["\udc80 ", f"{SECRET}\n"], "\udc80 <redacted>\n"),
    ],
)
def test_a_mark_stands_for_a_secret_in_a_message(texts: list[str], expected: str) -> None:
    known = make_known()
    assert write_message(*texts, known=known) == expected
    assert len(known.leaks) == (SECRET[:5] in "".join(texts))


def test_a_line_that_is_shown_in_part_is_searched_to_its_end() -> None:
    known, below = make_known(), io.StringIO()
    stream = MessageStream(below, known)
    for text in ("a ", SECRET[:6], SECRET[6:], " b\n", "c\n"):
        stream.write(text)
        stream.flush()
    assert SECRET not in below.getvalue()
    assert below.getvalue().endswith(" b\nc\n")
    assert len(known.leaks) == 1


@pytest.mark.parametrize("line", ["MIIEpAIBAAKCAQEA1c7", "AbCdEf0123456789"])
def test_each_line_of_a_longer_secret_is_held_back(line: str) -> None:
    known = make_known("-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA1c7\nAbCdEf0123456789\n")
    assert write_message(f"see {line}.\n", known=known) == "see <redacted>.\n"
    assert write_data(f"see {line}.\n", known=known) == "!3"


def test_no_way_leads_round_a_stream() -> None:
    below = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    stream: Any = MessageStream(below, make_known())
    assert not hasattr(stream, "buffer")
    with pytest.raises(TypeError):
        stream.write(SECRET.encode())
    click.echo(f"a {SECRET}", file=stream)
    click.echo(click.style(f"a {SECRET}", fg="red"), file=stream)
    stream.writelines([f"a {SECRET}", "\n"])
    stream.flush()
    below.flush()
    assert below.buffer.getvalue().count(b"a <redacted>") == 3


def dump_json(data: Any) -> None:
    json.dump(data, sys.stdout, indent=1)
    sys.stdout.flush()


def test_print_and_json_go_through_the_streams_of_a_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, err = io.StringIO(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    known = make_known()
    with filtered_streams(known):
        sys.stdout.write("a\n")
        click.echo(f"b {SECRET}", err=True)
        sys.stderr.write("no end")
        with pytest.raises(LeakError):
            dump_json({"a": [1, SECRET]})
        assert sys.stderr.isatty()
    assert (sys.stdout, sys.stderr) == (out, err)
    assert err.getvalue() == "b <redacted>\nno end"
    assert out.getvalue() == 'a\n{\n "a": [\n  1,\n'


def test_a_progress_bar_and_what_is_said_meanwhile_are_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    known = make_known(SECRET, "Zq8 wY5x bN3v Kc7j Lm2p Rt6s")
    with filtered_streams(known), show_progress("writing", 3) as step:
        step()
        click.echo("x" * 45 + f" {SECRET} Zq8 wY5x bN3v Kc7j Lm2p Rt6s", err=True)
        step()
    told = err.getvalue()
    assert "x" * 45 + " <redacted> <redacted>" in told
    assert "writing" in told
    assert "2/3" in told
    assert "--:--" in told  # how long still, which nobody knows yet
    assert len(known.leaks) == 1


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    script = """\
import sys
import click
from pillarbook.cli.main import cli, run
from pillarbook.cli.watched_command import WatchedCommand

@click.command("many", cls=WatchedCommand)
def many():
    return lambda options, values: [print(number) for number in range(10**6)]

cli.get_command = lambda *_: many
sys.exit(run(["many"]))
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()], ids=["file", "terminal"])
def test_no_text_of_json_steers_a_terminal(out: io.StringIO) -> None:
    data = {"a": "\x9b31m \x7f \u202e é \U0001f680"}
    writer_of_json(out, out.write)(json.dumps(data, ensure_ascii=False))
    assert json.loads(out.getvalue()) == data
    assert out.getvalue().isprintable() is out.isatty()
    assert "é \U0001f680" in out.getvalue()
