"""Faults of a user's tree as data, and the one root of the exceptions that stop a command."""

from pillarbook.diagnostics.diagnostic import (
    Collector,
    Diagnostic,
    PillarbookError,
    Severity,
    fold_follow_on,
)
from pillarbook.diagnostics.rules import new_diagnostic

__all__ = [
    "Collector",
    "Diagnostic",
    "PillarbookError",
    "Severity",
    "fold_follow_on",
    "new_diagnostic",
]
