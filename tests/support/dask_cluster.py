"""A Dask cluster for tests: processes that fork from one that has loaded Dask.

Run as a program with the folder for its logs and, in JSON, what the variables of each worker are.
The scheduler keeps all bytes that it reads in ``read``; each process writes its log beside it.
"""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

READ = "read"
"""The file with what the scheduler has read."""


@dataclass(frozen=True)
class Cluster:
    """A running cluster."""

    address: str
    """The scheduler's address."""
    processes: Sequence[int]
    """The scheduler's process, and those of the workers."""
    folder: Path
    """The folder of its logs."""

    def read_everything(self) -> bytes:
        """Return all that it has logged, kept, or passed on."""
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        return b"".join(file.read_bytes() for file in files)

    def has_ended(self, process: int) -> bool:
        """Say whether a process has ended; nobody waits for it, so it is a zombie."""
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"

    def words(self, *more: str) -> list[str]:
        """Return the words of a command that uses it."""
        return ["build", "--engine", "dask", "--scheduler", self.address, *more]


@contextmanager
def running(folder: Path, *workers: Mapping[str, str], threads: int = 1) -> Iterator[Cluster]:
    """Run a cluster.

    Args:
        folder: The folder for its logs.
        workers: For each worker, variables of its environment; WITHOUT names a package that it
            has not.
        threads: The threads of each worker.
    """
    folder.mkdir()
    command = [sys.executable, __file__, str(folder), json.dumps(workers), str(threads)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            told = json.loads(process.stdout.readline())
            yield Cluster(told["address"], told["processes"], folder)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def main(folder: Path, workers: Sequence[Mapping[str, str]], threads: int) -> None:
    """Start the scheduler and the workers, and print where they are."""
    # Both are loaded once, before the forks.
    import dask  # noqa: PLC0415 (tests only use the process)
    from distributed import Scheduler, Worker  # noqa: PLC0415 (as above)

    async def schedule(out: int) -> None:
        async with Scheduler(host="127.0.0.1", port=0, dashboard_address=":0") as scheduler:
            os.write(out, scheduler.address.encode())
            os.close(out)
            await scheduler.finished()

    async def work(address: str, variables: Mapping[str, str]) -> None:
        os.environ.update(variables)
        if "WITHOUT" in variables:  # as if it were not installed
            sys.modules[variables["WITHOUT"]] = None  # type: ignore[assignment]
        async with Worker(address, nthreads=threads) as worker:
            await worker.finished()

    dask.config.set(temporary_directory=str(folder))
    tap(folder / READ)
    reading, writing = os.pipe()
    processes = [fork(folder / "scheduler.log", lambda: schedule(writing))]
    os.close(writing)
    address = os.read(reading, 100).decode()
    for number, variables in enumerate(workers):
        log = folder / f"worker{number}.log"
        processes.append(fork(log, lambda variables=variables: work(address, variables)))  # type: ignore[misc]
    sys.stdout.write(json.dumps({"address": address, "processes": processes}) + "\n")
    sys.stdout.flush()
    signal.pause()


def fork(log: Path, run: Callable[[], Awaitable[None]]) -> int:
    """Run something in a child, with a log of its own, and return the child's number."""
    child = os.fork()
    if child:
        return child
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    logging.getLogger("distributed").setLevel(logging.DEBUG)
    asyncio.run(run())  # type: ignore[arg-type]
    os._exit(0)


def tap(file: Path) -> None:
    """Keep all bytes that are read from a connection."""
    tcp: Any = import_module("distributed.comm.tcp")
    original = tcp.from_frames

    async def from_frames(frames: Any, **options: Any) -> Any:
        with file.open("ab") as out:
            out.writelines(frames)
        return await original(frames, **options)

    tcp.from_frames = from_frames


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3]))
