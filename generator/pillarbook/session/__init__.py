"""Open a declared fleet, compile it, and hand on what is redacted."""

from pillarbook.session.failed_compiles import place_of_fault
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions
from pillarbook.session.session import Session
from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.watchdog import run_watched

__all__ = ["Heartbeat", "RunOptions", "Session", "open_session", "place_of_fault", "run_watched"]
