"""Prepares the standard streams of the process for any text."""

import io
import os
import sys
from pathlib import Path


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
