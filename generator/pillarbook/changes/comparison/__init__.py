"""Two states of a fleet, to be compared: revisions of its repository, or the working tree."""

from pillarbook.changes.comparison.open_sides import Sides, open_sides
from pillarbook.changes.comparison.resolve_sides import Side, Since, SinceReport, resolve_sides
from pillarbook.changes.comparison.scan import HeadScan, ScanResult
from pillarbook.changes.comparison.side_files import load_settings_at

__all__ = [
    "HeadScan",
    "ScanResult",
    "Side",
    "Sides",
    "Since",
    "SinceReport",
    "load_settings_at",
    "open_sides",
    "resolve_sides",
]
