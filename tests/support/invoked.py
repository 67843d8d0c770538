"""The command line, called in this process."""

from collections.abc import Sequence

from click.testing import CliRunner

from pillarbook.cli.filtered_work import do_work
from pillarbook.cli.main import cli


def print_of(words: Sequence[str], *codes: int) -> str:
    """Return what a command prints; without ``codes``, its exit code may be any."""
    result = CliRunner().invoke(cli, words, obj=do_work, standalone_mode=False)
    assert result.exception is None, result.output
    assert not codes or result.return_value in codes
    return result.stdout
