"""Diagnostics written out: for people, for programs, and for what shows them beside a change.

Each form is a pure function of diagnostics. What they hold is the user's: each escapes for itself,
and none names more than a few of the minions. The forms of services are in modules of their own,
which only ``check`` loads.
"""

from pillarbook.diagnostics.formats.documented import to_json
from pillarbook.diagnostics.formats.plain_text import count_severities, to_text

__all__ = ["count_severities", "to_json", "to_text"]
