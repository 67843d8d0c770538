"""Keeps secrets out of MkDocs' log, and out of the error that ends MkDocs."""

import logging

from pillarbook.publish.engine import ENGINE
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex

_LOGGERS = ("", ENGINE, "pillarbook", "pillarbook.publish")


class LogFilter(logging.Filter):
    """Removes secrets from the log, for the duration of a build."""

    def __init__(self, known: SecretIndex) -> None:
        super().__init__()
        self._known = known
        handlers = [one for name in _LOGGERS for one in logging.getLogger(name).handlers]
        self._handlers = [*handlers, *([logging.lastResort] if logging.lastResort else [])]
        for handler in self._handlers:
            handler.addFilter(self)

    def remove(self) -> None:
        """Stop removing secrets."""
        for handler in self._handlers:
            handler.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove secrets from one record; it is logged in any case."""
        text = record.getMessage()
        clean = self._known.withhold(text, "a line of the log")
        if clean != text:
            record.msg, record.args = clean, ()
        if record.exc_info and not record.exc_text:
            told = logging.Formatter().formatException(record.exc_info)
            record.exc_text = self._known.withhold(told, "a line of the log")
        return True


def withhold(error: Exception, known: SecretIndex) -> None:
    """Refuse an error whose text has a secret.

    Raises:
        LeakError: The error has a secret.
    """
    for hit in known.find(str(error).encode("utf-8", "surrogatepass")):
        leak = Leak("the error that stopped the build", known.key_of(hit.secret_id))
        raise LeakError("nothing is published", [leak]) from None
