"""Work that several forked processes share, in step with each other.

All processes run one function, each with a ``Member`` that says which one it is. Where they need
what the others have found, all of them call ``exchange``, which waits for the last one. Results
that are large go into the member's file in memory; what the function returns goes to the process
that began, so it should be small.

    with SharedWork(count, watch) as shared:
        results = shared.run(work)      # in the order of the members; the first is this process
        shared.members[0].output        # a file in memory, one for each member

Nothing is ever written to disk, as what is exchanged may hold secrets (docs/decisions/0018).
"""

import gc
import os
import pickle
import select
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn, Self, TypeVar

from pillarbook.diagnostics import PillarbookError
from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.render_limits import Watch
from pillarbook.supervise.watchdog import CLOCK_FACTOR

Result = TypeVar("Result")
LENGTH_BYTES = 8
POLL_SECONDS = 0.2
"""The interval of checks whether a silent process is alive."""
BLOCK = 2**20


class LostWorkerError(PillarbookError):
    """One of the processes that share the work is lost, and with it the results of all."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"a process that shares the work was lost ({reason}), so nothing was written;"
            " if the system has too little memory, use --jobs 1"
        )


class _Pipe:
    """One direction between two processes; each message is its length and its pickled content."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()

    def send(self, message: Any) -> None:
        content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        for part in (len(content).to_bytes(LENGTH_BYTES, "big"), content):
            left = memoryview(part)
            while left:
                left = left[os.write(self.writing, left) :]

    def receive(self, look: Callable[[], None] = lambda: None) -> Any:
        """Return the next message; ``look`` is called at intervals until it arrives.

        Raises:
            EOFError: The other process has ended.
        """
        length = int.from_bytes(self._read(LENGTH_BYTES, look), "big")
        return pickle.loads(self._read(length, look))  # noqa: S301 (this program wrote it)

    def _read(self, length: int, look: Callable[[], None]) -> bytearray:
        content = bytearray(length)
        left = memoryview(content)
        while left:
            while not select.select((self.reading,), (), (), POLL_SECONDS)[0]:
                look()
            count = os.readv(self.reading, (left[:BLOCK],))
            if not count:
                raise EOFError
            left = left[count:]
        return content


class Member:
    """One of the processes that share the work."""

    def __init__(self, rank: int, count: int) -> None:
        self.rank = rank
        """Its number; 0 for the first process."""
        self.count = count
        """The number of processes."""
        self.output = os.memfd_create("pillarbook")
        """A file in memory that the first process can read."""
        self._exchange: Callable[[Any], Sequence[Any]] = lambda own: (own,)

    def exchange(self, own: Any) -> Sequence[Any]:
        """Return what all members have given, in their order; every member must call this."""
        return self._exchange(own)


class _Worker:
    """A forked process, as the first process sees it."""

    def __init__(self, member: Member, heartbeat: Heartbeat, patience: float) -> None:
        self.member = member
        self.up, self.down = _Pipe(), _Pipe()
        self.process = 0
        self._heartbeat = heartbeat
        self._patience = patience

    def receive(self) -> tuple[str, Any]:
        """Return the next message; a ``LostWorkerError`` if the process ended or failed."""
        try:
            kind, content = self.up.receive(self._look)
        except EOFError:
            raise LostWorkerError(self._how_it_ended()) from None
        if kind == "failed":
            raise LostWorkerError(content)
        return kind, content

    def _look(self) -> None:
        """Kill the process if one render takes too long."""
        current = self._heartbeat.read()
        if current is not None and current[0] > self._patience:
            self.kill()

    def _how_it_ended(self) -> str:
        """Return how the process ended, for a message."""
        status = os.waitpid(self.process, 0)[1] if self.process else signal.SIGKILL
        self.process = 0
        if os.WIFSIGNALED(status):
            return signal.Signals(os.WTERMSIG(status)).name
        return f"exit code {os.WEXITSTATUS(status)}"

    @property
    def lost_in(self) -> Heartbeat | None:
        """The heartbeat if the process was lost during a render; else None."""
        return self._heartbeat if self._heartbeat.read() is not None else None

    def kill(self) -> None:
        """End the process."""
        if self.process:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self.process, 0)
        self.process = 0


class SharedWork:
    """Forks the other processes when the work begins; no second thread may exist then.

    The processes include this one. The heartbeat of ``watch`` tells the watchdog which render ended
    a process; it is None for work that renders nothing.
    """

    def __init__(self, count: int, watch: Callable[..., Any] | None) -> None:
        self._watch = watch if isinstance(watch, Watch) else None
        self._known = None if self._watch is None else self._watch.heartbeat
        self.members = tuple(Member(rank, count) for rank in range(count))
        """One member for each process."""
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
            for descriptor in (worker.up.reading, worker.down.writing):
                os.close(descriptor)
        for member in self.members:
            os.close(member.output)

    def run(self, work: Callable[[Member], Result]) -> list[Result]:
        """Return the results of ``work`` in all processes, in the order of the members.

        Raises:
            LostWorkerError: One of the processes is lost.
        """
        # so that a garbage collection does not copy the memory that the processes share
        gc.freeze()
        for member in self.members[1:]:
            self._fork(member, work)
        first = self.members[0]
        first._exchange = self._exchange  # noqa: SLF001 (of this module)
        return [work(first), *self._gather("done")]

    def _fork(self, member: Member, work: Callable[[Member], Any]) -> None:
        heartbeat = Heartbeat() if self._known is None else self._known.apart()
        patience = CLOCK_FACTOR * (1.0 if self._watch is None else self._watch.limits.seconds)
        worker = _Worker(member, heartbeat, patience)
        worker.process = os.fork()
        if worker.process == 0:
            self._work_and_leave(worker, heartbeat, work)
        for descriptor in (worker.up.writing, worker.down.reading):
            os.close(descriptor)
        self._workers.append(worker)

    def _work_and_leave(
        self, own: _Worker, heartbeat: Heartbeat, work: Callable[[Member], Any]
    ) -> NoReturn:
        """Do the work of a forked process, and end it without the cleanup of this program."""
        code = 1
        try:
            for worker in self._workers:  # open copies would hide that these processes have ended
                os.close(worker.up.reading)
                os.close(worker.down.writing)
            os.close(own.up.reading)
            os.close(own.down.writing)
            if self._watch is not None:
                self._watch.move(heartbeat)

            def exchange(given: Any) -> Sequence[Any]:
                own.up.send(("given", given))
                received: Sequence[Any] = own.down.receive()
                return received

            own.member._exchange = exchange  # noqa: SLF001 (of this module)
            own.up.send(("done", work(own.member)))
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else code
        except (EOFError, BrokenPipeError):  # the first process has ended
            pass
        # The message has only the class: the text may quote a value.
        except Exception as error:  # noqa: BLE001 (becomes an error of the process that began)
            own.up.send(("failed", type(error).__name__))
        finally:
            os._exit(code)

    def _exchange(self, own: Any) -> Sequence[Any]:
        given = (own, *self._gather("given"))
        for worker in self._workers:
            with suppress(BrokenPipeError):  # the next message reports this
                worker.down.send(given)
        return given

    def _gather(self, expected: str) -> list[Any]:
        """Return the next message of each process.

        If a render has ended a process, this process ends as well, so that the watchdog starts the
        command again without that render.
        """
        found = []
        for worker in self._workers:
            try:
                kind, content = worker.receive()
            except LostWorkerError:
                if self._known is not None and worker.lost_in is not None:
                    for other in self._workers:
                        other.kill()
                    self._known.repeat(worker.lost_in)
                    os.kill(os.getpid(), signal.SIGKILL)
                raise
            assert kind == expected, kind  # noqa: S101 (all run the same function)
            found.append(content)
        return found
