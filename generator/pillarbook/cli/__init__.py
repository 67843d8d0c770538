"""The command line: a click group with one module a command."""

from pillarbook.cli.main import main

__all__ = ["main"]
