"""Runs commands in forks of one process that has imported everything.

An import of pillarbook takes longer than most commands of a test. Each call is a process of its own
all the same, with the words, folder, variables, umask and streams of ``client.py``, which waits for
it and ends as it does.

Started with the number of a socket that listens, a folder to remove at the end, and a standard
input that ends with the tests.
"""

import atexit
import gc
import importlib
import io
import marshal
import os
import pkgutil
import select
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import pillarbook
from pillarbook.schemas import SCHEMAS, write_schema

COMMANDS = {"pillarbook": ("pillarbook.__main__", "main"), "mkdocs": ("mkdocs.__main__", "cli")}
LOADED_LATE = (
    *("mkdocs.__main__", "mkdocs.commands.build", "mkdocs.contrib.search", "mkdocs.theme"),
    *("markdown.extensions.attr_list", "markdown.extensions.codehilite"),
    *("markdown.extensions.fenced_code", "markdown.extensions.tables", "markdown.extensions.toc"),
    *("jinja2.debug", "pygit2", "pygments.formatters", "pygments.lexers", "toml", "encodings.idna"),
)
"""What commands import only when they need it."""
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def load() -> None:
    """Import all that commands import, and write the schemas, which are the same in each build.

    The plugin for pytest is none of theirs.
    """
    for module in pkgutil.walk_packages(pillarbook.__path__, "pillarbook."):
        if not module.name.startswith("pillarbook.testing"):
            importlib.import_module(module.name)
    for name in LOADED_LATE:
        importlib.import_module(name)
    for name in SCHEMAS:
        write_schema(name)


def serve(listener: socket.socket, folder: str) -> None:
    """Take calls until the tests are over; then remove the folder."""
    # A terminal interrupts the commands, and the tests, but not what they come from.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: set[int] = set()
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        connection, _ = listener.accept()
        answering = os.fork()
        if answering == 0:
            listener.close()
            answer(connection)
            os._exit(0)
        connection.close()
        running = {one for one in running | {answering} if not os.waitpid(one, os.WNOHANG)[0]}
    for one in running:
        os.waitpid(one, 0)
    shutil.rmtree(folder)


def answer(connection: socket.socket) -> None:
    """Run a command and say how it ended; end it with the client."""
    head, streams, _, _ = socket.recv_fds(connection, 4, 3)
    length = int.from_bytes(head, "little")
    call = marshal.loads(connection.recv(length, socket.MSG_WAITALL))  # noqa: S302 (from client.py)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        for descriptor in (reading, writing, connection.detach()):
            os.close(descriptor)
        run(streams, *call)
    for descriptor in streams:
        os.close(descriptor)
    connection.sendall(child.to_bytes(4, "little"))
    is_alone = connection.fileno() in select.select([connection.fileno(), reading], [], [])[0]
    if is_alone:  # the client was killed
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not is_alone:
        connection.sendall(status.to_bytes(4, "little"))


def run(
    streams: list[int],
    words: list[str],
    folder: bytes,
    variables: dict[bytes, bytes],
    umask: int,
    ignored: list[int],
) -> None:
    """Become the command's process, and run it."""
    for target, descriptor in enumerate(streams):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(folder)
    os.umask(umask)
    os.environb.clear()
    os.environb.update(variables)
    time.tzset()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in PASSED_ON:
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
    if signal.SIGINT not in ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = words
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 (as it is)
    sys.stdin = open_stream(0, "r", "strict")
    sys.stdout = open_stream(1, "w", "strict", line_buffering=os.isatty(1))
    sys.stderr = open_stream(2, "w", "backslashreplace", line_buffering=True)
    module, name = COMMANDS[os.path.basename(words[0])]  # noqa: PTH119 (a word, no file)
    leave(getattr(importlib.import_module(module), name))


def leave(command: Callable[[], Any]) -> NoReturn:
    """Run a command and end the process with what it ends with.

    Python's own end would write to each object of each module, so that the fork copied all that
    the server has imported.
    """
    code: Any = 0
    try:
        sys.exit(command())
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:  # noqa: BLE001 (as Python does with what nobody catches)
        sys.excepthook(*sys.exc_info())
        code = 1
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as Python does
    atexit._run_exitfuncs()  # as Python does
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120  # what Python ends with then
    os._exit(code or 0)


def open_stream(number: int, mode: str, errors: str, **options: Any) -> io.TextIOWrapper:
    """Open a standard stream as Python does where it starts, in a locale of UTF-8."""
    raw = open(number, f"{mode}b", closefd=False)  # noqa: SIM115 (for good)
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, **options)


if __name__ == "__main__":
    load()
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
