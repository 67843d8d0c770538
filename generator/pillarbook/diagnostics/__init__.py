"""Faults of a user's tree as data, and the one root of the exceptions that stop a command."""

from pillarbook.diagnostics.collector import Collector
from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.errors import PillarbookError

__all__ = ["Collector", "Diagnostic", "PillarbookError", "Severity"]
