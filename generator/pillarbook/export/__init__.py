"""``pillarbook export``: a fleet as tables, for auditors; redacted like every other output."""

from pillarbook.export.export_fleet import FORMATS, export_fleet

__all__ = ["FORMATS", "export_fleet"]
