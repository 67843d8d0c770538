"""Adds minions to an inventory that people edit: what they wrote stays, byte for byte."""

from collections.abc import Collection, Iterable, Sequence

import yaml

from pillarbook.bootstrap.yaml_lines import (
    Edit,
    YamlFormError,
    append_to,
    apply_edits,
    as_yaml,
    compose_mapping,
    end_of,
    is_block,
    value_of,
)

HEAD = """\
# The minions that `pillarbook inventory import` found. The next import replaces the grains in
# {grains}, and adds new minions here. You can add other keys: pillarenv, pillar, secrets.
minions:
"""
_INVENTED = frozenset(("guessed", "grains"))
"""The keys of a minion that ``init`` writes."""


def declared_ids(text: str, shown: str) -> list[str]:
    """Return the ids of the minions that an inventory declares.

    Raises:
        YamlFormError: It is not YAML, or no inventory.
    """
    minions = _find_minions(text, shown)
    return [str(key.value) for key, _ in _pairs(minions)]


def guessed_ids(text: str, shown: str) -> list[str]:
    """Return the ids of the minions that an inventory itself marks as guessed.

    Raises:
        YamlFormError: It is not YAML, or no inventory.
    """
    pairs = _pairs(_find_minions(text, shown))
    return [str(key.value) for key, value in pairs if _is_marked(value)]


def add_minions(text: str, ids: Iterable[str], grains: str, shown: str) -> str:
    """Return an inventory with more minions, whose grains are in a file.

    The text is empty if there is no inventory; ``shown`` is the inventory's name in messages.

    Raises:
        YamlFormError: It is written in a way in which no lines can be added.
    """
    text = text if text.strip() else HEAD.format(grains=grains)
    entries = [f"{as_yaml(one)}: {{grains: {as_yaml(grains)}}}" for one in ids]
    return add_entries(text, entries, shown)


def add_entries(text: str, entries: Sequence[str], shown: str) -> str:
    """Return an inventory with more lines below ``minions``, which are not yet indented.

    Raises:
        YamlFormError: It is written in a way in which no lines can be added.
    """
    minions = _find_minions(text, shown)
    if is_block(minions):
        return apply_edits(text, [append_to(text.splitlines(), minions, entries)])
    if isinstance(minions, yaml.MappingNode) and not minions.value:  # `{}`
        start, end = minions.start_mark.index, minions.end_mark.index
        return add_entries(text[:start].rstrip(" ") + text[end:], entries, shown)
    if isinstance(minions, yaml.MappingNode):
        why = "the minions are in braces; write each on its own line to add others"
        raise YamlFormError(shown, why)
    at = minions.start_mark.line + 1
    return apply_edits(text, [Edit(at, at, tuple(f"  {line}" for line in entries))])


def replace_guessed(text: str, known: Collection[str], grains: str, shown: str) -> str:
    """Return an inventory whose guessed minions have imported grains, or are gone.

    What else people wrote below them stays, and so does a guessed minion with such entries.

    ``known`` are the ids whose grains are in the file ``grains``; ``shown`` is the inventory's name
    in messages.

    Raises:
        YamlFormError: It is not YAML, or no inventory.
    """
    lines = text.splitlines()
    imported = f"grains: {as_yaml(grains)}"
    edits: list[Edit] = []
    for key, value in _pairs(_find_minions(text, shown)):
        if not _is_marked(value) or not is_block(value):
            continue
        others = [name for name, _ in value.value if name.value not in _INVENTED]
        if not others:
            is_known = key.value in known
            new = f"{' ' * key.start_mark.column}{as_yaml(key.value)}: {{{imported}}}"
            edits.append(
                Edit(key.start_mark.line, end_of(lines, value), (new,) if is_known else ())
            )
        elif key.value in known:
            edits += _take_imported(lines, value, imported)
    return apply_edits(text, edits)


def _take_imported(lines: Sequence[str], minion: yaml.MappingNode, imported: str) -> Iterable[Edit]:
    """Yield the edits that replace what ``init`` wrote of a minion, and nothing else."""
    new: tuple[str, ...] = (f"{' ' * minion.start_mark.column}{imported}",)
    for name, value in minion.value:
        if name.value in _INVENTED:
            yield Edit(name.start_mark.line, end_of(lines, value), new)
            new = ()


def _is_marked(minion: yaml.Node) -> bool:
    mark = value_of(minion, "guessed")
    return mark is not None and mark.value in ("true", "True", "TRUE", "yes", "on")


def _pairs(minions: yaml.Node) -> list[tuple[yaml.ScalarNode, yaml.MappingNode]]:
    return list(minions.value) if isinstance(minions, yaml.MappingNode) else []


def _find_minions(text: str, shown: str) -> yaml.Node:
    if not text.strip():
        return yaml.ScalarNode("tag:yaml.org,2002:null", "")
    minions = value_of(compose_mapping(text, shown), "minions")
    if minions is None:
        raise YamlFormError(shown, "the file has no 'minions:', so it is not an inventory")
    return minions
