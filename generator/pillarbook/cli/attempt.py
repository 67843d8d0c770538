"""The exit code of a command, whatever stops it."""

import sys
from collections.abc import Callable
from typing import Any

import click

INTERRUPTED = 130
"""The exit code of an interrupted command, as in shells."""


def attempt(call: Callable[[], Any]) -> int:
    """Return the exit code of a call: the integer that it returns, else 0.

    An error is printed in one sentence. A traceback may quote values of a pillar, so it is printed
    in the development mode of Python only.
    """
    try:
        result = call()
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.UsageError as error:
        error.show()
        return 1
    except Exception as error:  # noqa: BLE001 (no traceback reaches a user, only its message)
        from pillarbook.cli.filtered_work import describe_error  # noqa: PLC0415 (few runs need it)

        return describe_error(error)
    return result if isinstance(result, int) else 0
