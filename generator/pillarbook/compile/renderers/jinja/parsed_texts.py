"""YAML texts that templates load, each parsed once and handed out as a fresh copy."""

import marshal
from typing import Any

from pillarbook.compile.renderers.jinja.plain_data import decode
from pillarbook.compile.renderers.yaml_loader import load_plain


class ParsedTexts:
    """What was parsed so far, by text."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}
        self._packed: dict[str, bytes] = {}

    def load_yaml(self, text: str) -> Any:
        """Return a YAML text's data by Salt's rules; the caller's to change.

        Raises:
            yaml.YAMLError: As PyYAML words it.
            TypeError: It is no text.
        """
        if text.__class__ is not str:  # nor does PyYAML take a subclass, such as Markup
            return decode(load_plain(text))
        packed = self._packed.get(text)
        if packed is not None:
            return marshal.loads(packed)  # noqa: S302 (packed below, by this process)
        loaded = self._loaded[text] if text in self._loaded else load_plain(text)
        decoded = decode(loaded)
        if text not in self._loaded:
            packed = _pack(decoded)
            if packed is None:
                self._loaded[text] = loaded
            else:
                self._packed[text] = packed
        return decoded


def _pack(value: Any) -> bytes | None:
    """Return data as bytes to copy it from, which is quickest; None where it holds other types."""
    try:
        return marshal.dumps(value)
    except ValueError:
        return None
