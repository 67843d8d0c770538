"""Runs pillarbook with a note of every file, program and connection that it opens.

Words: the file for the notes, then pillarbook's own. Each note is an event of Python's audit and what
it is about, on a line. The processes that pillarbook forks inherit the notes.
"""

import os
import sys
from typing import Any

NOTED = (
    "open",
    "os.listdir",
    "os.scandir",
    "os.chdir",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "socket.connect",
    "socket.getaddrinfo",
)


def main() -> None:
    """Run the command of the remaining words."""
    notes = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event in NOTED:
            os.write(notes, f"{event} {arguments[0]!r}\n".encode("utf-8", "surrogateescape"))

    # Imported first: what the interpreter loads is no read of the tree's.
    from pillarbook.__main__ import main as pillarbook  # noqa: PLC0415

    sys.addaudithook(note)
    sys.argv = ["pillarbook", *sys.argv[2:]]
    pillarbook()


main()
