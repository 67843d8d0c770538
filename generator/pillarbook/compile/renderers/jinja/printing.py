"""What ``{{ value }}`` prints: mappings and lists in a form that YAML reads back.

Source: Salt ``salt/utils/jinja.py`` (``SerializerExtension.finalizer``, ``PrintableDict``).
"""

from collections.abc import Callable
from typing import Any

from pillarbook.compile.renderers.jinja.yaml_dump import quote_for_yaml

_ESCAPED = ("\n", "\r", "\t")


class PrintableDict(dict[Any, Any]):
    r"""A mapping that prints like Python's, but for texts with line breaks or tabs in it.

    Python's ``'a\nb'`` would be two characters to YAML where it means one.
    """

    def __str__(self) -> str:
        return _join(self, str)

    def __repr__(self) -> str:
        return _join(self, repr)


def finalize_output(value: Any) -> Any:
    """Return a value as it is to be printed, containers at any depth included."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return PrintableDict((key, finalize_output(item)) for key, item in value.items())
    if isinstance(value, list):
        return [finalize_output(item) for item in value]
    if isinstance(value, tuple | set):
        return value.__class__([finalize_output(item) for item in value])
    return value


def _join(mapping: dict[Any, Any], show: Callable[[Any], str]) -> str:
    pairs = (
        f"{key!r}: {_show_text(item) if isinstance(item, str) else show(item)}"
        for key, item in mapping.items()
    )
    return "{" + ", ".join(pairs) + "}"


def _show_text(text: str) -> str:
    return quote_for_yaml(text) if any(mark in text for mark in _ESCAPED) else repr(text)
