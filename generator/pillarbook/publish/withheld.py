"""No secret in MkDocs' log, nor in the error that ends it."""

import logging

from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex

_LOGGERS = ("", "mkdocs", "pillarbook", "pillarbook.publish")


class LogFilter(logging.Filter):
    """Takes secrets out of what is logged, for the time of a build.

    Args:
        known: The secrets; is told what was taken out.
    """

    def __init__(self, known: SecretIndex) -> None:
        super().__init__()
        self._known = known
        handlers = [one for name in _LOGGERS for one in logging.getLogger(name).handlers]
        self._handlers = [*handlers, *([logging.lastResort] if logging.lastResort else [])]
        for handler in self._handlers:
            handler.addFilter(self)

    def remove(self) -> None:
        """Let everything through again."""
        for handler in self._handlers:
            handler.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean one record; it is logged in any case."""
        text = record.getMessage()
        clean = self._known.withhold(text, "a line of the log")
        if clean != text:
            record.msg, record.args = clean, ()
        if record.exc_info and not record.exc_text:
            told = logging.Formatter().formatException(record.exc_info)
            record.exc_text = self._known.withhold(told, "a line of the log")
        return True


def withhold(error: Exception, known: SecretIndex) -> None:
    """Keep an error that holds a secret from being told.

    Raises:
        LeakError: It does.
    """
    for hit in known.find(str(error).encode("utf-8", "surrogatepass")):
        leak = Leak("the error that stopped the build", known.key_of(hit.secret_id))
        raise LeakError("nothing is published", [leak]) from None
