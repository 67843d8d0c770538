"""Functions that read the clock, and nothing else of the machine.

Source: Salt ``salt/modules/status.py`` (``time_``), ``salt/modules/system.py``.
"""

import datetime as dt
import re

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.renderers.jinja.functions.context import FunctionContext

_OFFSET = re.compile(r"([+-])?(\d\d)(\d\d)$")


class Status:
    """The module ``status``: the one function of it that asks for the time alone."""

    def __init__(self, context: FunctionContext) -> None:
        self._now = context.now

    def time_(self, format: str = "%A, %d. %B %Y %I:%M%p") -> str:  # noqa: A002 (Salt's name)
        """Return the time in a format: ``status.time``."""
        return self._now().strftime(format)


class System:
    """The module ``system``: the functions of it that tell the time."""

    def __init__(self, context: FunctionContext) -> None:
        self._now = context.now

    def get_system_time(self, utc_offset: str | None = None) -> str:
        """Return the time of the day."""
        return self._shifted(utc_offset).strftime("%I:%M:%S %p")

    def get_system_date_time(self, utc_offset: str | None = None) -> str:
        """Return date and time."""
        return self._shifted(utc_offset).strftime("%Y-%m-%d %H:%M:%S")

    def get_system_date(self, utc_offset: str | None = None) -> str:
        """Return the date."""
        return self._shifted(utc_offset).strftime("%a %m/%d/%Y")

    def _shifted(self, utc_offset: str | None) -> dt.datetime:
        """Return the time so far from UTC.

        Raises:
            SaltFunctionError: That is no distance such as ``+0100``.
        """
        if utc_offset is None:
            return self._now()
        found = _OFFSET.match(utc_offset)
        if found is None:
            raise SaltFunctionError("Invalid UTC offset")
        sign, hours, minutes = found.groups()
        distance = dt.timedelta(hours=int(hours), minutes=int(minutes))
        return self._now() - distance if sign == "-" else self._now() + distance
