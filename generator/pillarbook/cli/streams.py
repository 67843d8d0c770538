"""Prepares the standard streams of the process for any text."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO, cast

from pillarbook.cli.filtered import DataStream, MessageStream
from pillarbook.redact.secret_index import SecretIndex


def open_streams() -> None:
    """Open closed streams, and make every character writable.

    Data is UTF-8 in every locale, except on a terminal. Characters that the encoding lacks are
    written with a backslash, which JSON reads back.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (to the end)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as above)
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


@contextmanager
def filtered_streams(known: SecretIndex) -> Iterator[None]:
    """Search standard output and standard error for secrets while a command runs.

    Args:
        known: The secrets; it records which were held back.
    """
    before = sys.stdout, sys.stderr
    out, err = DataStream(sys.stdout, known), MessageStream(sys.stderr, known)
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        with suppress(OSError, ValueError):  # the reader is gone
            err.flush()
