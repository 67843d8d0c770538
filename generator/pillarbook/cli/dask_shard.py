"""The process on a Dask worker that makes one part: it reads the job, and prints the sealed part.

It is a process of its own, because a worker has threads, and a build forks. It alone reads the tree
and the token key, which is in the worker's environment and in no job (docs/decisions/0038).
"""

import datetime as dt
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pillarbook import __version__
from pillarbook.cli.attempt import attempt
from pillarbook.cli.build_report import choose_options
from pillarbook.cli.filtered_work import do_work
from pillarbook.cli.job_of_parent import read_job
from pillarbook.cli.main import open_streams
from pillarbook.cli.read_declared import token_key
from pillarbook.cli.report_parts import build_part
from pillarbook.cli.timing import Timing
from pillarbook.inventory.declared_clock import VARIABLE, Clock
from pillarbook.publish.inputs import Inputs
from pillarbook.publish.part_files import PartsError
from pillarbook.redact.tokens import TokenKey
from pillarbook.supervise.watchdog import run_watched


def main() -> None:
    """Make the part that standard input asks for."""
    open_streams()
    job = read_job()
    sys.exit(attempt(lambda: _print_part(job)))


def _print_part(job: dict[str, Any]) -> int:
    """Print the part, and return the exit code."""
    if job["version"] != __version__:
        asked = job["version"]
        raise PartsError(
            f"the worker has pillarbook {__version__}, and this is pillarbook {asked}; install"
            f" pillarbook=={asked} on all workers"
        )
    key = token_key()
    if key is None or TokenKey(key).id != job["key"]:
        has = "no" if key is None else "another"
        raise PartsError(
            f"the worker has {has} PILLARBOOK_TOKEN_KEY; start it with the same one as this command"
        )
    if not Path(job["config_file"]).exists():
        raise PartsError(
            f"the worker has no {job['config_file']}; it needs the same files under the same path"
        )
    with TemporaryDirectory(prefix="pillarbook-part-") as folder:
        output = Path(folder) / "part"
        code = _make_part(job, output)
        if code == 0:
            with output.open("rb") as part:
                shutil.copyfileobj(part, sys.stdout.buffer)
    return code


def _make_part(job: dict[str, Any], output: Path) -> int:
    """Write the part as ``build --shard`` does, and return the exit code."""
    os.environ.pop(VARIABLE, None)
    if job["epoch"]:
        os.environ[VARIABLE] = job["epoch"]
    clock = job["clock"]
    values = {
        "config_file": Path(job["config_file"]),
        "shard": job["shard"],
        "output": output,
        "allow": tuple(map(Path, job["allow"])),
        "trust": job["trust"],
        "clock": clock and Clock(dt.datetime.fromisoformat(clock), "--clock"),
        "jobs": job["jobs"],
        "timing": Timing(None),
    }
    wanted = Inputs(**job["inputs"])
    return run_watched(
        lambda heartbeat: do_work(
            lambda base: build_part(choose_options(base, values), values, wanted),
            heartbeat=heartbeat,
        )
    )


if __name__ == "__main__":
    main()
