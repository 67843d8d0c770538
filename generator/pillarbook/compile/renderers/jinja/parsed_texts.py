"""YAML texts that templates load, each parsed once and handed out as a fresh copy."""

import marshal
from typing import Any

from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
from pillarbook.compile.renderers.jinja.plain_data import decode
from pillarbook.compile.renderers.yaml_loader import load_plain

_CONTAINERS: frozenset[Any] = frozenset({dict, list, OrderedSet})


class ParsedTexts:
    """What was parsed so far, by text."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}
        self._packed: dict[str, bytes | None] = {}

    def load_yaml(self, text: str) -> Any:
        """Return a YAML text's data by Salt's rules; the caller's to change.

        Raises:
            yaml.YAMLError: As PyYAML words it.
            TypeError: It is no text.
        """
        if text.__class__ is not str:  # nor does PyYAML take a subclass, such as Markup
            return decode(load_plain(text))
        if text not in self._loaded:
            self._loaded[text] = decode(load_plain(text))
            self._packed[text] = _pack(self._loaded[text])
        packed = self._packed[text]
        if packed is not None:
            return marshal.loads(packed)  # noqa: S302 (packed above, by this process)
        return _copy(self._loaded[text])


def _pack(value: Any) -> bytes | None:
    """Return data as bytes to copy it from, which is quickest; None where it holds other types."""
    try:
        return marshal.dumps(value)
    except ValueError:
        return None


def _copy(value: Any) -> Any:
    """Copy decoded data, in which nothing is shared; a page of YAML may be imported often."""
    kind: Any = value.__class__
    if kind is dict:
        return {
            key: _copy(item) if item.__class__ in _CONTAINERS else item
            for key, item in value.items()
        }
    if kind is list:
        return [_copy(item) if item.__class__ in _CONTAINERS else item for item in value]
    return value.copy() if kind is OrderedSet else value
