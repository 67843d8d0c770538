"""A folder of commands that start fast, for as long as the tests run."""

import atexit
import functools
import shlex
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


@functools.cache
def forked_commands() -> Path:
    """Return a folder such as a virtual environment: ``bin/pillarbook``, ``mkdocs``, ``python``.

    ``python`` is this process's own. A test of how Python itself starts takes ``sys.executable``.
    """
    # Not in pytest's folder: the address of a socket has 107 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="pb-"))
    address = folder / "calls"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen(16)
        server = subprocess.Popen(
            [sys.executable, HERE / "server.py", str(listener.fileno()), folder],
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )
    # It removes the folder when its standard input ends, with this process however that ends.
    atexit.register(server.communicate)
    python = shlex.quote(sys.executable)
    client = f"{python} -I -S {shlex.quote(str(HERE / 'client.py'))} {shlex.quote(str(address))}"
    (folder / "bin").mkdir()
    for name, command in (
        ("pillarbook", f'{client} "$0"'),
        ("mkdocs", f'{client} "$0"'),
        ("python", python),
    ):
        file = folder / "bin" / name
        # A shell's line, as the kernel's "#!" takes no path with a space.
        file.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        file.chmod(0o755)
    return folder


def forked(name: str = "pillarbook") -> str:
    """Return the path of a command that runs in a fork."""
    return str(forked_commands() / "bin" / name)
