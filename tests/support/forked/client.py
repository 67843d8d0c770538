"""A command whose process is a fork of ``server.py``: run as `client.py SOCKET COMMAND [WORD]...`.

It ends as that process does. Signals go on to it. Few modules are imported, and these are in C: a
call is to cost little.
"""

import _signal  # type: ignore[import-not-found]  # typeshed has `signal` only
import _socket
import array
import marshal
import os
import sys

PASSED_ON = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)


def main(address: str, words: list[str]) -> None:
    """Have the command run, and end as it ends."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(address)
    umask = os.umask(0)
    os.umask(umask)
    ignored = [int(one) for one in PASSED_ON if _signal.getsignal(one) == _signal.SIG_IGN]
    folder = os.getcwdb()  # noqa: PTH109 (loading pathlib takes longer than all of this)
    call = marshal.dumps((words, folder, dict(os.environb), umask, ignored))
    streams = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
    connection.sendmsg([len(call).to_bytes(4, "little")], [streams])
    sent = 0
    while sent < len(call):
        sent += connection.send(call[sent:])
    process = receive(connection)
    for number in PASSED_ON:
        if number not in ignored:
            _signal.signal(number, lambda told, _: os.kill(process, told))
    status = receive(connection)
    if os.WIFSIGNALED(status):
        _signal.signal(os.WTERMSIG(status), _signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def receive(connection: _socket.socket) -> int:
    """Return the next number of the server."""
    told = connection.recv(4, _socket.MSG_WAITALL)
    if len(told) < 4:
        sys.exit("the server of the tests' commands has ended")
    return int.from_bytes(told, "little")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
