"""Each command with its door bypassed in one format: nothing gets out, and it ends with 3."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.leaky import SECRET, unmask, write_leaky

from pillarbook.cli import (
    list_findings,
    output,
    print_changes,
    print_key,
    print_origins,
    print_sls,
    print_verify,
    write_first_files,
)
from pillarbook.cli.main import run
from pillarbook.cli.summary import show_progress
from pillarbook.cli.timing import Timing
from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.redact import Redactor, SecretStore
from pillarbook.session.shown_fleet import ShownFleet

FAULT = Diagnostic(code="missing-sls", severity=Severity.ERROR, message=f"no {SECRET} is here")


def leaking(
    owner: Any, name: str, leak: Callable[[Any], Any]
) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what lets a function of some module, or a property of a class, give more.

    ``leak`` makes that of what it gives.
    """

    def mutate(monkeypatch: pytest.MonkeyPatch) -> None:
        before = getattr(owner, name)
        if isinstance(before, property):
            getter = before.fget
            assert getter is not None
            monkeypatch.setattr(owner, name, property(lambda self: leak(getter(self))))
            return
        monkeypatch.setattr(owner, name, lambda *words, **named: leak(before(*words, **named)))

    return mutate


def add(text: str) -> str:
    return text + f" {SECRET}"


def add_line(lines: Any) -> list[str]:
    return [*lines, f"see {SECRET}"]


def add_item(data: Any) -> Any:
    return {**data, "x": SECRET} if isinstance(data, dict) else [*data, {"x": SECRET}]


def fail(_: Any) -> Any:
    raise PillarbookError(f"what is {SECRET}?")


def break_down(_: Any) -> Any:
    raise OSError(2, "No such file", SECRET)


TOKENS = leaking(SecretStore, "token", lambda _: SECRET)
FAULTS = leaking(ShownFleet, "diagnostics", lambda found: (*found, FAULT))
FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab")
DIFF = ["diff", "--environments", "base", "prod"]
MUTATIONS: dict[str, tuple[list[str], Callable[[pytest.MonkeyPatch], None]]] = {
    "compile json": (["compile"], leaking(Redactor, "write_json", add)),
    "compile yaml": (["compile", "--format", "yaml"], leaking(output, "dump_yaml", add)),
    "compile tokens": (["compile"], TOKENS),
    "compile errors": (["compile"], FAULTS),
    "compile timing": (
        ["compile", "--timing"],
        leaking(Timing, "describe", add),
    ),
    "compile fails": (["compile"], leaking(Redactor, "write_json", fail)),
    "compile breaks down": (["compile"], leaking(Redactor, "write_json", break_down)),
    "explain text": (["explain", "b1"], leaking(print_origins, "show_value", add)),
    "explain text tokens": (["explain", "b1"], TOKENS),
    "explain json": (
        ["explain", "b1", "--format", "json"],
        leaking(print_origins, "explained", add_item),
    ),
    "explain json tokens": (["explain", "b1", "--format", "json"], TOKENS),
    "explain fails": (["explain", "b1"], leaking(print_origins, "_print_text", fail)),
    "get text": (["get", "db"], leaking(print_key, "show_value", add)),
    "get text tokens": (["get", "db"], TOKENS),
    "get json": (
        ["get", "db", "--format", "json"],
        leaking(print_key, "values_to_json", add_item),
    ),
    "get nothing": (["get", SECRET], lambda _: None),
    "diff text": (DIFF, leaking(print_changes, "write_diff", add_line)),
    "diff text tokens": (DIFF, TOKENS),
    "diff json": ([*DIFF, "--format", "json"], leaking(print_changes, "diff_to_json", add_item)),
    "diff json tokens": ([*DIFF, "--format", "json"], TOKENS),
    "diff comment": (
        [*DIFF, "--format", "markdown"],
        leaking(print_changes, "write_markdown", add),
    ),
    "diff comment tokens": ([*DIFF, "--format", "markdown"], TOKENS),
    "saved result tokens": (["compile", "--format", "result"], TOKENS),
    "sls text": (["explain", "--sls", "db"], leaking(print_sls, "_describe", add_line)),
    "sls json": (
        ["explain", "--sls", "db", "--format", "json"],
        leaking(print_sls, "_tell", add_item),
    ),
    "sls text unmasked": (["explain", "--sls", "db"], unmask),
    "sls json unmasked": (["explain", "--sls", "db", "--format", "json"], unmask),
    **{f"check {form}": (["check", "--format", form], FAULTS) for form in FORMATS},
    "check fails": (["check"], leaking(list_findings, "to_text", fail)),
    "verify text": (["verify", "dump.json"], leaking(print_verify, "to_text", add_line)),
    "verify json": (
        ["verify", "dump.json", "--format", "json"],
        leaking(print_verify, "to_json", add_item),
    ),
    "verify a dump's own": (
        ["verify", "dump.json"],
        leaking(print_verify, "to_text", lambda lines: [*lines, "dumped-9Xk2mQ7w"]),
    ),
    "init": (["init"], leaking(write_first_files, "_lines", add_line)),
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_leaky(tmp_path)
    dump = {"b1": {"motd": "hello", "db": {"password": "dumped-9Xk2mQ7w"}}}
    (tmp_path / "dump.json").write_text(json.dumps(dump))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.sample(8)
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_nothing_gets_out_of_a_command(
    mutation: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    arguments, mutate = MUTATIONS[mutation]
    mutate(monkeypatch)
    assert run(arguments) == 3
    out, err = capfd.readouterr()
    assert SECRET not in out + err
    assert "dumped-9Xk2mQ7w" not in out + err
    assert "because " in err
    assert "contains the secret of `db:password`" in err or mutation == "verify a dump's own"
    assert "`redact: allow`" in err


@pytest.mark.sample(8)
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_without_the_leak_the_command_goes_through(
    mutation: str,
    tree: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    arguments, _ = MUTATIONS[mutation]
    if mutation != "get nothing":
        assert run(arguments) in (0, 2)
        assert SECRET not in "".join(capfd.readouterr())


@pytest.mark.parametrize("mutation", ["compile json", "compile yaml", "check sarif", "verify text"])
@pytest.mark.parametrize("before", [None, "before"])
def test_no_file_is_left_behind(
    before: str | None,
    mutation: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    arguments, mutate = MUTATIONS[mutation]
    (tree / "out").mkdir()
    file = tree / "out/file"
    if before is not None:
        file.write_text(before)
    mutate(monkeypatch)
    assert run([*arguments, "--output", "out/file"]) == 3
    assert [path.name for path in (tree / "out").iterdir()] == (["file"] if before else [])
    assert before is None or file.read_text() == before
    assert "out/file is not complete, because out/file contains" in capfd.readouterr().err


def test_what_is_to_be_revealed_is(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "--reveal"]) == 0
    assert SECRET in capfd.readouterr().out
    assert run(["explain", "b1", "--reveal"]) == 0
    assert SECRET in capfd.readouterr().out
    assert run(["compile", "--reveal", "--output", "file"]) == 0
    assert SECRET in (tree / "file").read_text()
    assert (tree / "file").stat().st_mode & 0o777 == 0o600


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


PROGRESS = {"check": "list_findings", "build": "build_report"}


@pytest.mark.parametrize("command", PROGRESS)
def test_the_progress_line_holds_no_secret(
    command: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    before = show_progress
    module = f"pillarbook.cli.{PROGRESS[command]}"
    monkeypatch.setattr(f"{module}.show_progress", lambda _, total: before(f"see {SECRET}", total))
    assert run([command]) == 3
    told = err.getvalue()
    assert "contains the secret of `db:password`" in told
    assert "<redacted>" in told
