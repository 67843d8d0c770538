"""How deep YAML nests, found out before PyYAML's C composer goes down into it.

The composer calls itself for each level and ends the process where its stack ends. The parser does
not, but going through its events costs a good part of what loading costs, so a look at the text
says first whether there can be that many levels at all.
"""

from typing import Any

import yaml

HARMLESS = 1000
"""Levels that the composer takes anywhere; its stack is enough for some twenty thousand."""
STRUCTURE = " \t-?:"
"""What lines begin with that open blocks: each level of a block is a column further right."""


def nests_deeper(text: str, levels: int) -> int | None:
    """Return at which character a text goes down too far; None where it does not, or is no YAML.

    Args:
        text: The text.
        levels: How far it may; a text that stays above ``HARMLESS`` is not looked at.
    """
    if text.count("[") + text.count("{") <= HARMLESS and not _has_deep_lines(text):
        return None
    depth = 0
    loader: Any = yaml.CSafeLoader(text)
    try:
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > levels:
                return int(event.start_mark.index)
    except yaml.YAMLError:
        pass  # whoever loads it says so in the right words
    finally:
        loader.dispose()
    return None


def _has_deep_lines(text: str) -> bool:
    columns = HARMLESS // 2  # a list may stand in the column of its key: two levels
    return any(
        len(line) > columns and not line[:columns].strip(STRUCTURE) for line in text.splitlines()
    )
