"""Builds the report on a Dask cluster: ``build --engine dask``.

The cluster makes the parts of ``build --shard`` and nothing else; this process merges them. What
talks to Dask is a process of its own (``cli/dask_client.py``).
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from pillarbook import __version__
from pillarbook.cli.report_parts import write_merged
from pillarbook.cli.value_text import clean_line
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.declared_clock import VARIABLE
from pillarbook.inventory.settings import TOKEN_KEY
from pillarbook.publish.part_files import PartFile, need_key
from pillarbook.publish.sealed_stream import open_seal
from pillarbook.redact.tokens import TokenKey
from pillarbook.session import RunOptions

if TYPE_CHECKING:
    from pillarbook.publish.inputs import Inputs

COMMAND = (sys.executable, "-P", "-m", "pillarbook.cli.dask_client")
STOP_SECONDS = 10.0
"""How long the process that talks to Dask may take to cancel what it has asked for."""


class EngineError(PillarbookError):
    """The cluster has not made the parts."""


def build_on_dask(options: RunOptions, values: dict[str, Any], begin: float) -> int:
    """Write the site, and return the exit code.

    Raises:
        PillarbookError: There is no token key, or no Dask.
    """
    key = need_key(options.token_key, "--engine dask")
    if find_spec("distributed") is None:
        raise EngineError(
            "--engine dask needs Dask, which is not installed; run: pip install 'pillarbook[dask]'"
        )
    open_seal(key.derive(b""))  # before the work

    def bring(inputs: "Inputs", take: Callable[[PartFile], None]) -> None:
        asked = _describe(options, values, key, inputs)
        with TemporaryDirectory(prefix="pillarbook-parts-") as folder:
            job = {name: values[name] for name in ("scheduler", "shards", "jobs")}
            with _asking({**job, "folder": folder, "asked": asked}) as parts:
                for told in parts:
                    _take(told, key, take)

    return write_merged(options, values, bring, begin)


def _describe(
    options: RunOptions, values: dict[str, Any], key: TokenKey, inputs: "Inputs"
) -> dict[str, Any]:
    """Return what all workers are asked for: no secret, and no content of a file."""
    return {
        "version": __version__,
        "key": key.id,
        "inputs": asdict(inputs),
        "config_file": str(values["config_file"].absolute()),
        "allow": [str(one.absolute()) for one in values["allow"]],
        "trust": values["trust"],
        "clock": None if options.clock is None else options.clock.time.isoformat(),
        "epoch": os.environ.get(VARIABLE),
    }


def _take(told: dict[str, Any], key: TokenKey, take: Callable[[PartFile], None]) -> None:
    """Take a part if it is the one that was asked for, and say so."""
    file, shard = Path(told["file"]), f"{told['number']}/{told['count']}"
    part = PartFile(file, key)
    if (part.head.number, part.head.count) != (told["number"], told["count"]):
        raise EngineError(f"{told['worker']}: this is not part {shard}, which it was asked for")
    take(part)
    file.unlink()
    worker = clean_line(told["worker"])
    click.echo(f"pillarbook: {worker}: part {shard} in {told['seconds']:.1f} s", err=True)


@contextmanager
def _asking(job: dict[str, Any]) -> Iterator[Iterator[dict[str, Any]]]:
    """Run the process that talks to Dask, and yield what it prints for each part."""
    # It needs no key, so it cannot pass it on.
    variables = {name: value for name, value in os.environ.items() if name != TOKEN_KEY}
    with subprocess.Popen(  # noqa: S603 (a fixed command)
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=variables,
        start_new_session=True,  # Ctrl-C reaches it through this process
    ) as process:
        assert process.stdin is not None  # noqa: S101 (it is a pipe)
        try:
            with suppress(BrokenPipeError):  # its exit code says more
                process.stdin.write(json.dumps(job).encode() + b"\n")
                process.stdin.flush()
            yield _listen(process)
        finally:
            process.stdin.close()  # it cancels what is left
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _listen(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    """Yield what a process prints for each part; an ``EngineError`` if it has failed."""
    assert process.stdout is not None  # noqa: S101 (it is a pipe)
    for line in process.stdout:
        told = json.loads(line)
        if "error" in told:
            raise EngineError(clean_line(told["error"]))
        yield told
    if process.wait():
        raise EngineError(f"the process that talks to Dask exited with {process.returncode}")
