"""``cmd_yaml`` and ``cmd_json``: run a command on this machine, and parse its output.

They run only if the tree may run code. The limits of a render apply to the time and to the output.
The folder is that of the master file; for Salt, it is the home of its user.

Source: Salt ``salt/pillar/cmd_yaml.py``, ``salt/pillar/cmd_json.py``, ``salt/modules/cmdmod.py``.
"""

import json
import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.interface import ExtPillarContext, QuietFailure, read_arguments
from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.code.record_opened import listen
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.inventory.settings import TOKEN_KEY
from pillarbook.model import Node

CHUNK = 65536
LOCALE = (
    *("CTYPE", "NUMERIC", "TIME", "COLLATE", "MONETARY", "MESSAGES", "PAPER", "NAME"),
    *("ADDRESS", "TELEPHONE", "MEASUREMENT", "IDENTIFICATION"),
)
UNBOUND = "cannot access local variable 'output' where it is not associated with a value"
"""Salt's error for a command that it cannot start."""


def ext_pillar(minion_id: str, pillar: Any, command: Any) -> Any:  # noqa: ARG001 (Salt's arguments)
    """Return the command."""
    return command


def load_command_yaml(context: ExtPillarContext, config: Any) -> Node | None:
    """Return the YAML that a shell command prints.

    Raises:
        RenderError: With Salt's words.
        QuietFailure: The output is not YAML; Salt continues without it.
    """
    command = read_arguments(ext_pillar, config)
    if not isinstance(command, str):
        raise RenderError(UNBOUND)
    line = command.replace("%s", context.minion_id)
    text = _run(["/bin/sh", "-c", line], context, errors_too=False)
    file, at = context.place
    source = SourceText(text, (Segment(0, file, at, verbatim=False),) if text else ())
    try:
        return context.load_yaml(source)
    except LimitExceeded:
        raise
    except RenderError as error:
        raise QuietFailure("the output of the command is not YAML") from error


def load_command_json(context: ExtPillarContext, config: Any) -> Node | None:
    """Return the JSON that a program prints on standard output and standard error.

    Raises:
        QuietFailure: The output is not JSON; Salt continues without it.
    """
    command = read_arguments(ext_pillar, config)
    if not isinstance(command, str):
        raise QuietFailure("the command is not text")
    try:
        words = shlex.split(command.replace("%s", context.minion_id))
        return context.to_nodes(json.loads(_run(words, context, errors_too=True)))
    except (ValueError, RecursionError) as error:
        raise QuietFailure("the output of the command is not JSON") from error


def _run(words: list[str], context: ExtPillarContext, *, errors_too: bool) -> str:
    """Return the output of a command, without white space at its end."""
    listen()
    try:
        with subprocess.Popen(  # noqa: S603 (the tree is trusted with this)
            words,
            cwd=context.folder,
            env=_environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if errors_too else subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                output = _read(process, context.limits)
            finally:
                _end(process)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise QuietFailure(f"the command does not start: {reason}") from error
    return output.decode("utf-8", "replace").rstrip()


def _read(process: "subprocess.Popen[bytes]", limits: Limits) -> bytes:
    stream = process.stdout
    assert stream is not None  # noqa: S101 (it was asked for)
    ends = time.monotonic() + limits.seconds
    parts: list[bytes] = []
    size = 0
    while True:
        left = ends - time.monotonic()
        if left <= 0 or not select.select([stream], [], [], left)[0]:
            raise QuietFailure(
                f"the command takes more than {limits.seconds:g} s", rule="limit-exceeded"
            )
        part = os.read(stream.fileno(), CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > limits.output:
            raise QuietFailure(
                f"the command prints more than {limits.output:,} characters", rule="limit-exceeded"
            )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a command that still runs, with its child processes."""
    if process.stdout is not None:
        process.stdout.close()
    try:
        process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the command: a neutral locale, and no keys of pillarbook."""
    kept = {name: value for name, value in given.items() if name not in {TOKEN_KEY, "LANG"}}
    return {**kept, **{f"LC_{name}": "C" for name in LOCALE}, "PWD": str(Path.cwd())}
