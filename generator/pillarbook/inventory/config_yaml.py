"""PyYAML's loaders with a line for every fault, and configuration with a line for every key."""

from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError

from pillarbook.model import KeyPath
from pillarbook.model.long_integers import REFUSED, holds_long_integer

MAX_LEVELS = 500
"""How deep a configuration may nest; without a limit PyYAML's C composer ends the process."""
# Programs that read a configuration print, merge and copy it with each alias in full: MkDocs
# writes every option to its log, which takes all memory for a few lines that name each other.
MAX_CHARACTERS = 16 * 2**20
"""How long a configuration may be, each alias counted as often as it is used."""

_INT_TAG = "tag:yaml.org,2002:int"
_MERGE_TAG = "tag:yaml.org,2002:merge"
_CONSTRUCTION_FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of PyYAML for text that does not fit its tag or its apparent type."""


class UnreadableValueError(ConstructorError):
    """A scalar cannot be read; the message never quotes it."""

    def __init__(self, reason: str, mark: yaml.Mark | None) -> None:
        super().__init__(None, None, f"a value cannot be read: {reason}", mark)
        self.reason = reason
        """The reason."""


class PlacedLoader(yaml.CSafeLoader):
    """PyYAML's safe loader; all its faults have a position."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Return the value of a node.

        Raises:
            UnreadableValueError: The node has no value.
        """
        try:
            made = super().construct_object(node, deep=deep)
        except _CONSTRUCTION_FAULTS as error:
            reason = "it does not fit its tag"
            if isinstance(error, ArithmeticError | ValueError):
                # Python may quote the value after a colon.
                reason = str(error).partition(":")[0]
            raise UnreadableValueError(reason, node.start_mark) from error
        if isinstance(made, int) and holds_long_integer(made):
            raise UnreadableValueError(REFUSED, node.start_mark)
        return made

    def construct_document(self, node: yaml.Node) -> Any:
        """Return the data of a document; PyYAML fills some containers after all objects are there.

        Raises:
            UnreadableValueError: One of them does not fit its tag.
        """
        try:
            return super().construct_document(node)
        except _CONSTRUCTION_FAULTS as error:
            raise UnreadableValueError("it does not fit its tag", node.start_mark) from error


class SaltConfigLoader(PlacedLoader):
    """Reads master files as Salt does: duplicate keys are errors, dates stay text, ``0755`` is 755.

    Source: Salt ``salt/utils/yamlloader.py`` (``SaltYamlSafeLoader``).
    """

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> str:
        """Return a scalar's text; a whole number's without leading zeros."""
        if node.tag == _INT_TAG and node.value[:1] == "0" and node.value[:2] not in ("0b", "0x"):
            node.value = node.value.lstrip("0") or "0"
        return str(super().construct_scalar(node))

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Put what ``<<`` merges in front, without the keys that the mapping has itself."""
        own = [pair for pair in node.value if pair[0].tag != _MERGE_TAG]
        if len(own) == len(node.value):
            super().flatten_mapping(node)
            return
        super().flatten_mapping(node)
        taken = {key_node.value for key_node, _ in own}
        merged = node.value[: len(node.value) - len(own)]
        node.value = [pair for pair in merged if pair[0].value not in taken] + own

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping; a duplicate key is an error."""
        self.flatten_mapping(node)
        made = super().construct_mapping(node, deep)
        if len(made) == len(node.value):
            return made
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise ConstructorError(None, None, f"duplicate key '{key}'", key_node.start_mark)
            seen.add(key)
        return made


SaltConfigLoader.add_constructor("tag:yaml.org,2002:str", SaltConfigLoader.construct_scalar)
SaltConfigLoader.add_constructor("tag:yaml.org,2002:timestamp", SaltConfigLoader.construct_scalar)


def compose(loader: yaml.CSafeLoader, text: str) -> yaml.Node | None:
    """Return the document's node, None for an empty one.

    Raises:
        yaml.YAMLError: It is not YAML, or longer than ``MAX_CHARACTERS``.
        RecursionError: It nests deeper than ``MAX_LEVELS``.
    """
    level = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            level += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            level -= 1
        if level > MAX_LEVELS:
            raise RecursionError
    root = loader.get_single_node()
    if root is not None and _measure(root) > MAX_CHARACTERS:
        problem = f"its aliases stand for over {MAX_CHARACTERS:,} characters"
        raise ComposerError(None, None, problem, root.start_mark)
    return root


def _measure(root: yaml.Node) -> int:
    """Return the number of characters of a node, aliases in full, up to ``MAX_CHARACTERS + 1``.

    A node that holds itself counts once.
    """
    lengths: dict[int, int] = {}
    waiting = [(root, False)]
    while waiting:
        node, is_measured_below = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            lengths[id(node)] = len(node.value) + 1
        elif is_measured_below:
            below = sum(lengths[id(one)] for one in _parts(node))
            lengths[id(node)] = min(below + 1, MAX_CHARACTERS + 1)
        elif id(node) not in lengths:
            lengths[id(node)] = 1
            waiting.append((node, True))
            waiting += ((one, False) for one in _parts(node))
    return lengths[id(root)]


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """Return the members of a list, or the keys and values of a mapping."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value)


def load_salt_config(text: str) -> tuple[Any, dict[KeyPath, int]]:
    """Return a master file's data, and the line of each key of its two upper levels.

    Raises:
        yaml.YAMLError: It is not YAML.
        RecursionError: It nests deeper than ``MAX_LEVELS``.
    """
    loader = SaltConfigLoader(text)
    try:
        node = compose(loader, text)
        if node is None:
            return None, {}
        return loader.construct_document(node), key_lines(node, depth=2)
    finally:
        loader.dispose()


def key_lines(node: yaml.Node, *, depth: int) -> dict[KeyPath, int]:
    """Return the line of each key and list member below a node, ``depth`` levels down.

    A node that aliases refer to is processed once.
    """
    lines: dict[KeyPath, int] = {}
    seen: set[int] = set()
    queue: list[tuple[KeyPath, yaml.Node]] = [((), node)]
    for path, above in queue:  # grows while it is walked
        if id(above) in seen or len(path) == depth:
            continue
        seen.add(id(above))
        for key, place, below in _children(above):
            lines[(*path, key)] = place.start_mark.line + 1
            queue.append(((*path, key), below))
    return lines


def _children(node: yaml.Node) -> list[tuple[Any, yaml.Node, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        return [
            (key_node.value, key_node, value_node)
            for key_node, value_node in node.value
            if isinstance(key_node, yaml.ScalarNode)
        ]
    if isinstance(node, yaml.SequenceNode):
        return [(index, item, item) for index, item in enumerate(node.value)]
    return []
