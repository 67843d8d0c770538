"""The process that talks to a Dask scheduler: it submits the parts, and writes each to a file.

It is a process of its own, because Dask starts threads, and the build that called it forks. It has
no token key, so it cannot read what it passes on (docs/decisions/0038).
"""

import json
import logging
import signal
import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from operator import methodcaller
from pathlib import Path
from typing import Any

from distributed import CancelledError, Client, Future, KilledWorker, wait
from distributed.comm.core import CommClosedError
from toolz import pipe

from pillarbook import __version__
from pillarbook.cli.attempt import attempt
from pillarbook.cli.dask_task import PartLostError
from pillarbook.cli.job_of_parent import read_job
from pillarbook.diagnostics import PillarbookError

CONNECT_SECONDS = 15
WORKER_SECONDS = 60
"""How long the scheduler may have no worker, at the beginning or later."""
NO_WORKER = (
    f"the Dask scheduler has had no worker for {WORKER_SECONDS} seconds; start some with:"
    " dask worker ADDRESS"
)
RETRIES = 2
"""How often a part is tried again whose process was killed."""


class ClusterError(PillarbookError):
    """The cluster cannot make the parts."""


def main() -> None:
    """Have the parts made that standard input asks for; print a line of JSON for each."""
    job = read_job()
    code = attempt(lambda: _tell(job))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it ends anyway, and Dask's own end is loud
    sys.exit(code)


def _tell(job: dict[str, Any]) -> None:
    logging.disable()  # Dask logs tracebacks; here they become sentences
    try:
        with _connect(job["scheduler"]) as client:
            for told in _make_parts(client, job):
                print(json.dumps(told), flush=True)  # noqa: T201 (the calling process reads it)
    except ClusterError as error:
        print(json.dumps({"error": str(error)}), flush=True)  # noqa: T201 (as above)
    except (CancelledError, CommClosedError):
        lost = "the connection with the Dask scheduler is lost"
        print(json.dumps({"error": lost}), flush=True)  # noqa: T201 (as above)


def _connect(address: str) -> Client:
    """Return a connection with a scheduler; a ``ClusterError`` if there is none."""
    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except OSError as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} within {CONNECT_SECONDS} seconds; check"
            " --scheduler, and that the scheduler runs"
        ) from error
    except (ValueError, TypeError, RuntimeError) as error:  # a wrong address, TLS without keys
        why = str(error).partition("\n")[0]
        raise ClusterError(f"--scheduler {address} cannot be used: {why}") from error


def _make_parts(client: Client, job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the number and the file of each part, in the order in which they are finished."""
    count, jobs = _divide(client, job["shards"], job["jobs"])
    run = uuid.uuid4().hex
    numbers: dict[Future[Any], int] = {}
    for number in range(1, count + 1):
        asked = {**job["asked"], "shard": (number, count), "jobs": jobs}
        # Not the function itself: a worker without it could not even read the task, and would end.
        steps = ("pillarbook.cli.dask_task", import_module, methodcaller("make_part", asked))
        name = f"pillarbook-part-{number}-{run}"
        numbers[client.submit(pipe, *steps, key=name, pure=False, retries=RETRIES)] = number
    while numbers:
        for future in _wait(client, list(numbers)):
            number = numbers.pop(future)
            told = _take(future, f"part {number}/{count}")
            file = Path(job["folder"]) / f"part{number}"
            file.write_bytes(told.pop("part"))
            yield {**told, "number": number, "count": count, "file": str(file)}


def _divide(client: Client, shards: int | None, jobs: int | None) -> tuple[int, int]:
    """Return the number of parts, and of processes for each.

    Each part compiles the whole fleet, so there is one for each worker, with as many processes as
    the worker has threads: those share that work (docs/decisions/0038).

    Raises:
        ClusterError: There is no worker.
    """
    if shards is None:
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            raise ClusterError(NO_WORKER) from error
    threads = client.nthreads().values()
    count = shards or max(1, len(threads))
    return count, jobs or max(1, sum(threads) // max(count, len(threads)))


def _wait(client: Client, futures: "list[Future[Any]]") -> "list[Future[Any]]":
    """Return those that are finished, however long they take, while there is a worker."""
    had_worker = True
    while True:
        try:
            return list(wait(futures, WORKER_SECONDS, "FIRST_COMPLETED").done)
        except TimeoutError:
            has_worker = bool(client.nthreads())
        if not (had_worker or has_worker):
            raise ClusterError(NO_WORKER)
        had_worker = has_worker


def _take(future: "Future[Any]", part: str) -> dict[str, Any]:
    """Return what a task has returned; a ``ClusterError`` if it has made no part."""
    error = future.exception()
    if isinstance(error, KilledWorker):
        tries = error.allowed_failures + 1
        last = error.last_worker.address
        raise ClusterError(
            f"{part} was given up, because {tries} workers ended while they made it, the last was"
            f" {last}; its log has the reason, often too little memory"
        )
    if isinstance(error, PartLostError):
        raise ClusterError(
            f"{part} was given up after {RETRIES + 1} tries, because {error}; often a worker has"
            " too little memory"
        )
    if isinstance(error, ImportError | AttributeError):
        raise ClusterError(
            f"a worker cannot load pillarbook {__version__}; install"
            f" 'pillarbook[dask]=={__version__}' on all workers"
        )
    if error is not None:
        raise ClusterError(f"{part} failed on a worker: {type(error).__name__}; its log has more")
    told: dict[str, Any] = future.result()
    if "refused" in told:
        raise ClusterError(f"{told['worker']}: {part}: {told['refused']}")
    return told


if __name__ == "__main__":
    main()
