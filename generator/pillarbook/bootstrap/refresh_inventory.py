"""Adds minions to an inventory that people edit: what they wrote stays, byte for byte."""

from collections.abc import Iterable

import yaml

from pillarbook.bootstrap.yaml_words import as_yaml
from pillarbook.diagnostics import PillarbookError

HEAD = """\
# The minions that `pillarbook inventory import` found. The next import replaces the grains in
# {grains}, and adds new minions here. You can add other keys: pillarenv, pillar, secrets.
minions:
"""


class InventoryFormError(PillarbookError):
    """An inventory that minions cannot be added to."""

    def __init__(self, shown: str, why: str) -> None:
        super().__init__(f"{shown}: {why}")


def declared_ids(text: str, shown: str) -> list[str]:
    """Return the ids of the minions that an inventory declares.

    Raises:
        InventoryFormError: It is not YAML, or no inventory.
    """
    minions = _find_minions(text, shown)
    if not isinstance(minions, yaml.MappingNode):
        return []
    return [str(key.value) for key, _ in minions.value]


def add_minions(text: str, ids: Iterable[str], grains: str, shown: str) -> str:
    """Return an inventory with more minions, whose grains are in a file.

    Args:
        text: The inventory; empty if there is none.
        ids: The ids to add.
        grains: The file with the grains, relative to the inventory.
        shown: The name of the inventory in messages.

    Raises:
        InventoryFormError: It is written in a way in which no lines can be added.
    """
    if not text.strip():
        text = HEAD.format(grains=grains)
    minions = _find_minions(text, shown)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    indent, at = 2, minions.start_mark.line + 1
    if isinstance(minions, yaml.MappingNode):
        if minions.flow_style and not minions.value:  # `{}`
            start, end = minions.start_mark.index, minions.end_mark.index
            return add_minions(text[:start].rstrip(" ") + text[end:], ids, grains, shown)
        if minions.flow_style:
            why = "the minions are in braces; write each on its own line to add others"
            raise InventoryFormError(shown, why)
        indent, at = minions.start_mark.column, min(minions.end_mark.line, len(lines))
        while _is_aside(lines[at - 1]):
            at -= 1
    added = [f"{' ' * indent}{as_yaml(one)}: {{grains: {as_yaml(grains)}}}\n" for one in ids]
    return "".join([*lines[:at], *added, *lines[at:]])


def _is_aside(line: str) -> bool:
    """Say whether a line after the last minion belongs to what follows: a comment, or nothing."""
    return not line.strip() or line.startswith("#")


def _find_minions(text: str, shown: str) -> yaml.Node:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise InventoryFormError(shown, "is not valid YAML") from error
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in pairs:
        if key.value == "minions":
            return value  # type: ignore[no-any-return]  # PyYAML has no types for it
    if not text.strip():
        return yaml.ScalarNode("tag:yaml.org,2002:null", "")
    raise InventoryFormError(shown, "has no 'minions:', so it is not an inventory")
