"""The command line, called in this process."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from _pytest.capture import CaptureResult
from click.testing import CliRunner

from pillarbook.cli.filtered_work import do_work
from pillarbook.cli.main import cli

Printed: TypeAlias = Callable[..., CaptureResult[str]]
"""Runs a command, given its words and its exit code if that is not 0; returns what it prints."""


def print_of(words: Sequence[str], *codes: int) -> str:
    """Return what a command prints; without ``codes``, its exit code may be any."""
    result = CliRunner().invoke(cli, words, obj=do_work, standalone_mode=False)
    assert result.exception is None, result.output
    assert not codes or result.return_value in codes
    return result.stdout
