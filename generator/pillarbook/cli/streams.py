"""The process's standard streams, made fit for any text."""

import io
import os
import sys
from pathlib import Path


def open_streams() -> None:
    """Open what is closed, and see to it that every character can be written.

    Data is UTF-8 wherever it goes but to a terminal, whatever the locale says; what an encoding
    lacks is written with a backslash, which JSON reads back.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (to the end)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as above)
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
