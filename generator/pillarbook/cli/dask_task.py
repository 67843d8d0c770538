"""What a Dask worker runs: it starts the process that makes one part, and returns the sealed part.

The worker itself reads nothing of the tree. A job has paths, digests and options only, and a result
is encrypted or a sentence for the user, so that the cluster never sees a clear value.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

# Not from the worker's folder: a file of that name there would be run.
COMMAND = (sys.executable, "-P", "-m", "pillarbook.cli.dask_shard")
LOOK_SECONDS = 0.5
"""How often a task looks whether anybody still wants its result."""


class PartLostError(Exception):
    """The process was killed; another try may succeed."""


def make_part(job: dict[str, Any]) -> dict[str, Any]:
    """Make a part.

    Args:
        job: What ``dask_shard`` reads.

    Returns:
        The address of the worker as ``worker``, and ``part`` with the bytes of the part; or
        ``refused`` with the reason why each try would fail.

    Raises:
        PartLostError: The process was killed.
    """
    from distributed import get_worker  # noqa: PLC0415 (an extra)

    worker, begin = get_worker(), time.monotonic()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        running = task is not None and task.state in ("executing", "long-running")
        return running and worker.status.name not in ("closing", "closed", "failed")

    code, part, said = _run(json.dumps(job).encode() + b"\n", is_wanted)
    told = {"worker": worker.address, "seconds": time.monotonic() - begin}
    if code == 0:
        return {**told, "part": part}
    number = code - 128 if code > 128 else -code
    if number > 0:
        raise PartLostError(f"the process of the part was ended by signal {number}")
    lines = said.decode(errors="replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), f"it exited with {code}")
    return {**told, "refused": last.removeprefix("pillarbook: ")}


def _run(job: bytes, is_wanted: Callable[[], bool]) -> tuple[int, bytes, bytes]:
    """Run the process; return its exit code, its output, and its messages."""
    reading, writing = os.pipe()
    with subprocess.Popen(  # noqa: S603 (a fixed command)
        COMMAND,
        stdin=reading,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C in the worker's terminal is the worker's own affair
    ) as process:
        os.close(reading)
        try:
            with suppress(BrokenPipeError):  # its exit code says more
                os.write(writing, job)
            while True:
                try:
                    part, said = process.communicate(timeout=LOOK_SECONDS)
                except subprocess.TimeoutExpired:
                    if is_wanted():
                        continue
                    part = said = b""
                break
        finally:
            os.close(writing)  # it ends, if it has not
    return process.returncode, part, said
