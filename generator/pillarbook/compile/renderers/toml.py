"""The ``toml`` renderer.

Salt reads TOML with the library ``toml``, whose words stand in ``_errors`` and which takes less
than TOML 1.0 has; so it reads here as well. It tells no lines: ``toml_spans`` finds them.

Source: Salt ``salt/renderers/tomlmod.py``, ``salt/serializers/tomlmod.py``.
"""

import datetime as dt
import re
import warnings
from dataclasses import replace
from typing import Any

from pillarbook.compile.renderers.python_data import GivenBy, ValuePlaces, from_python
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.toml_spans import Span, find_spans
from pillarbook.model import KeyPath, Node, Origin

QUOTED = re.compile(r"\{.*\}|'[^']*'|\"[^\"]*\"", re.DOTALL)
"""What an error quotes of the text."""
LEAKED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the library raises for a text that it does not take; its own error is a ``ValueError``."""


def render(context: RenderContext, data: Rendered, _argline: str) -> Node:
    """Return the tree of a TOML document.

    Raises:
        RenderError: With the words of the library ``toml``.
        LimitExceeded: Too many nodes, or too deep ones.
    """
    if not isinstance(data, SourceText):
        raise RenderError("You can only load a file descriptor, filename or list")
    import toml  # noqa: PLC0415 (few SLS need it)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = toml.loads(data.text)
    except LEAKED as error:
        raise _worded(error, data) from error
    places = _TomlPlaces(context.new_origin(data.locate(0), None), data, find_spans(data.text))
    return from_python(_settle_zones(loaded), places, context.limits)


def _worded(error: Exception, data: SourceText) -> RenderError:
    at = min(getattr(error, "pos", 0), max(len(data.text) - 1, 0))
    worded = RenderError(str(error), data.locate(at))
    reason = QUOTED.sub("...", str(getattr(error, "msg", type(error).__name__)))
    worded.clean = f"the TOML is not taken: {reason}"
    return worded


def _settle_zones(value: Any) -> Any:
    """Return the data with Python's own time zones: the library's print as an address."""
    if isinstance(value, dict):
        return {key: _settle_zones(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_settle_zones(item) for item in value]
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.replace(tzinfo=dt.timezone(value.utcoffset() or dt.timedelta()))
    return value


class _TomlPlaces(ValuePlaces):
    """Where the values of a TOML document stand: a scalar where its text does."""

    def __init__(self, origin: Origin, source: SourceText, spans: dict[KeyPath, Span]) -> None:
        super().__init__(origin)
        self._whole = origin
        self._source = source
        self._spans = spans
        self._hides = bool(source.secret_stretches())

    def find(self, path: KeyPath, value: Any) -> GivenBy:
        """Return where the value at a path stands; at the nearest container where unknown."""
        span, whole = self._spans.get(path), path
        while span is None and whole:
            whole = whole[:-1]
            span = self._spans.get(whole)
        start, end = span or (0, len(self._source.text))
        file, line = self._source.locate(start)
        secret = self._source.secret_at(start, end) if self._hides and value is not None else None
        return (replace(self._whole, file=file, line=line, value=value),), secret
