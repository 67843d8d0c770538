"""Opens a declared fleet, compiles it, and returns redacted results."""

from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions
from pillarbook.session.session import Session

__all__ = ["RunOptions", "Session", "open_session"]
