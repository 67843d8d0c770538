"""YAML texts that templates load; each is parsed once, and every caller gets a copy."""

import marshal
from typing import Any

from pillarbook.compile.renderers.jinja.plain_data import decode
from pillarbook.compile.renderers.yaml_loader import load_plain


class ParsedTexts:
    """The parsed texts."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}
        self._packed: dict[str, bytes] = {}

    def load_yaml(self, text: str) -> Any:
        """Return the data of a YAML text by Salt's rules, in new objects.

        Raises:
            yaml.YAMLError: In PyYAML's words.
            TypeError: It is not text.
        """
        if text.__class__ is not str:  # PyYAML refuses subclasses such as Markup as well
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
    """Return data as bytes, from which copies are made quickest; None for other types."""
    try:
        return marshal.dumps(value)
    except ValueError:
        return None
