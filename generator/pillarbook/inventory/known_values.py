"""Equal scalars, mappings and lists of a YAML document as one object each."""

from typing import Any

import yaml

from pillarbook.inventory.config_yaml import PlacedLoader

MAX_CONTAINERS = 10_000
"""The most mappings and lists that are kept to find equal ones; then all are removed."""


class KnownValues:
    """What one document has had so far."""

    def __init__(self) -> None:
        self._loader = PlacedLoader("")
        self.scalars: dict[str, Any] = {}
        """By text: a plain scalar has the same value wherever it occurs."""
        # By the members themselves, so that equal mappings and lists of minions are one object, as
        # with an alias. A kept container holds its members, so their ids are not used again.
        self._containers: dict[tuple[int, ...], Any] = {}

    def scalar(self, text: str, event: Any = None) -> Any:
        """Return the value of a plain scalar; an error has the place of the event.

        Raises:
            yaml.YAMLError: It has none.
        """
        try:
            return self.scalars[text]
        except KeyError:
            pass
        value: Any = text
        if not text or text[0] in PlacedLoader.yaml_implicit_resolvers:
            tag = self._loader.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
            value = self.construct(tag, text, event)
        self.scalars[text] = value
        return value

    def construct(self, tag: str, text: str, event: Any = None) -> Any:
        """Return the value of a scalar with a tag.

        Raises:
            yaml.YAMLError: It has none.
        """
        marks = (event.start_mark, event.end_mark) if event is not None else ()
        return self._loader.construct_object(yaml.ScalarNode(tag, text, *marks), deep=True)

    def share(self, value: Any) -> Any:
        """Return a mapping or list that has the same members, and anything else as it is."""
        if value.__class__ is dict:
            members = (*map(id, value), 0, *map(id, value.values()))
        elif value.__class__ is list:
            members = (1, *map(id, value))
        else:
            return value
        if len(self._containers) >= MAX_CONTAINERS:
            self._containers.clear()
        return self._containers.setdefault(members, value)
