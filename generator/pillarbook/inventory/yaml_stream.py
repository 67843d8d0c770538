"""YAML 1.1 as PyYAML's SafeLoader reads it, straight from the C parser's events.

Composing nodes and constructing objects costs three times as much time for a large inventory, and
ten times the memory: an event is gone as soon as it is read. Scalars are resolved once per text.
A value with an anchor is read with its lines, so that an alias leads to its literal.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from pillarbook.inventory.config_yaml import PlacedLoader
from pillarbook.inventory.located_values import (
    LocatedMembers,
    LocatedValue,
    gather_list,
    gather_mapping,
)

MAX_LINES = 2_000_000
"""The most values that aliases may expand to; a few lines can expand to billions."""

_TAG = "tag:yaml.org,2002:"
_MERGE = object()
_CONTEXT = "while constructing a mapping"

Cursor: TypeAlias = yaml.Event | LocatedValue
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


class YamlStream:
    """One YAML document, read from its start to its end.

    Raises:
        yaml.YAMLError: From every method, in PyYAML's words.
        RecursionError: It nests too deeply.
    """

    def __init__(self, text: str, known: KnownValues | None = None) -> None:
        self._next: Callable[[], Any] = PlacedLoader(text).get_event
        self._known = known or KnownValues()
        # Texts that are keys as written, in quotes or not; `<<` is not. For one document.
        self._keys: dict[str, str] = {}
        self._anchors: dict[str, LocatedValue | None] = {}
        self._lines = 0

    def root(self) -> Cursor | None:
        """Return a cursor to the start of the document, None for an empty one."""
        self._next()
        if isinstance(self._next(), StreamEndEvent):
            return None
        return self._open(self._next())

    def finish(self) -> None:
        """Check that nothing follows the document."""
        self._next()
        event = self._next()
        if not isinstance(event, StreamEndEvent):
            problem = "a second document begins; one is expected"
            raise ComposerError(None, None, problem, event.start_mark)

    def only_member(self) -> Cursor:
        """Return a cursor to the value of the document's only key, or to its only list member."""
        if isinstance(self.root(), MappingStartEvent):
            self._key(self._next())
        return self._open(self._next())

    def finish_part(self) -> None:
        """Check that the document ends with its only member, and that it has no anchors."""
        event = self._next()
        if not isinstance(event, CollectionEndEvent) or self._anchors:
            raise ComposerError(None, None, "this is no part of a document", event.start_mark)
        self.finish()

    def is_mapping(self, cursor: Cursor) -> bool:
        """Say whether the value has ``members``."""
        if isinstance(cursor, LocatedValue):
            return isinstance(cursor.value, dict)
        return isinstance(cursor, MappingStartEvent)

    def members(self, cursor: Cursor) -> Iterator[tuple[Any, int, Cursor]]:
        """Yield ``(key, line, cursor)`` of a mapping; read each cursor before the next.

        The keys that ``<<`` merges come last, without those that the mapping has itself.
        """
        if isinstance(cursor, LocatedValue):
            yield from ((key, given.line, given) for key, given in cursor.members())
            return
        own = set()
        merged: LocatedMembers = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._key(event)
            if key is _MERGE:
                merged.update(self._merge_sources(self._next()))
                continue
            own.add(key)
            yield key, event.start_mark.line + 1, self._open(self._next())
        for key, given in merged.items():
            if key not in own:
                yield key, given.line, given

    def plain(self, cursor: Cursor) -> Any:
        """Return the data at a cursor."""
        return cursor.value if isinstance(cursor, LocatedValue) else self._value(cursor)

    def located(self, cursor: Cursor) -> LocatedValue:
        """Return the data at a cursor with the line of every value in it."""
        return cursor if isinstance(cursor, LocatedValue) else self._located(cursor)

    def _open(self, event: Any) -> Cursor:
        """Return the event, or its value if it is an alias or has an anchor or a tag."""
        if isinstance(event, AliasEvent) or event.anchor is not None or event.tag is not None:
            return self._located(event)
        return event  # type: ignore[no-any-return]

    def _value(self, event: Any) -> Any:
        kind = event.__class__
        if kind is AliasEvent or event.anchor is not None:
            return self._located(event).value
        if kind is ScalarEvent:
            return self._scalar(event)
        if event.tag is not None:
            return self._located(event).value
        return self._mapping() if kind is MappingStartEvent else self._sequence()

    def _member(self, event: Any) -> Any:
        """Return a value within another one; equal ones are one object."""
        return self._known.share(self._value(event))

    def _mapping(self) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        merged: LocatedMembers = {}
        # A large inventory has a million known scalars: these need no function call.
        following, texts, known = self._next, self._keys, self._known.scalars
        while (event := following()).__class__ is not MappingEndEvent:
            is_bare = event.__class__ is ScalarEvent and event.tag is event.anchor is None
            key = texts.get(event.value) if is_bare else None
            if key is None:
                key = self._key(event)
                if key is _MERGE:
                    merged.update(self._merge_sources(following()))
                    continue
                if is_bare and key == event.value:
                    texts[key] = key
            event = following()
            is_bare = event.__class__ is ScalarEvent and event.tag is event.anchor is None
            if is_bare and event.implicit[0] and event.value in known:
                made[key] = known[event.value]
            else:
                made[key] = self._member(event)
        if merged:
            return {key: given.value for key, given in merged.items()} | made
        return made

    def _sequence(self) -> list[Any]:
        made = []
        while (event := self._next()).__class__ is not SequenceEndEvent:
            made.append(self._member(event))
        return made

    def _key(self, event: Any) -> Any:
        if event.__class__ is AliasEvent:
            key = self._located(event).value
        elif event.__class__ is ScalarEvent:
            if event.implicit[0] and event.tag is None and event.value in ("<<", "="):
                return _MERGE if event.value == "<<" else "="
            key = self._value(event)
        else:
            key = None
        if (key is None and event.__class__ is not ScalarEvent) or isinstance(key, dict | list):
            problem = "found unhashable key"
            raise ConstructorError(_CONTEXT, None, problem, event.start_mark)
        return key

    def _scalar(self, event: Any) -> Any:
        text = event.value
        if event.tag is not None and event.tag != "!":
            return self._known.construct(event.tag, text, event)
        return self._known.scalar(text, event) if event.implicit[0] else text

    def _located(self, event: Any) -> LocatedValue:
        if event.__class__ is AliasEvent:
            return self._follow(event)
        if event.anchor in self._anchors:
            raise ComposerError(None, None, "found duplicate anchor", event.start_mark)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        line = event.start_mark.line + 1
        if event.__class__ is ScalarEvent:
            given = LocatedValue(self._scalar(event), {(): line})
        elif event.__class__ is MappingStartEvent:
            given = gather_mapping(line, self._located_members())
        else:
            given = gather_list(line, self._located_items())
        if event.__class__ is not ScalarEvent and event.tag not in (None, "!"):
            given = _retag(given, event)
        if event.anchor is not None:
            self._anchors[event.anchor] = given
        return given

    def _follow(self, event: Any) -> LocatedValue:
        if event.anchor not in self._anchors:
            raise ComposerError(None, None, "found undefined alias", event.start_mark)
        given = self._anchors[event.anchor]
        if given is None:
            raise ComposerError(None, None, "a value that contains itself", event.start_mark)
        self._lines += len(given.lines)
        if self._lines > MAX_LINES:
            problem = f"its aliases expand to more than {MAX_LINES:,} values"
            raise ComposerError(None, None, problem, event.start_mark)
        return given

    def _located_members(self) -> LocatedMembers:
        made: LocatedMembers = {}
        merged: LocatedMembers = {}
        while (event := self._next()).__class__ is not MappingEndEvent:
            key = self._key(event)
            if key is _MERGE:
                merged.update(self._merge_sources(self._next()))
            else:
                made[key] = self._located(self._next())
        return merged | made

    def _located_items(self) -> Iterator[LocatedValue]:
        while (event := self._next()).__class__ is not SequenceEndEvent:
            yield self._located(event)

    def _merge_sources(self, event: Any) -> LocatedMembers:
        """Return the members that ``<<`` merges; of several mappings the first one wins."""
        given = self._located(event)
        sources = given.items() if isinstance(given.value, list) else [given]
        found: LocatedMembers = {}
        for source in reversed(sources):
            if not isinstance(source.value, dict):
                problem = "expected a mapping or list of mappings for merging"
                raise ConstructorError(_CONTEXT, None, problem, event.start_mark)
            found.update(source.members())
        return found


def _retag(given: LocatedValue, event: Any) -> LocatedValue:
    """Return a container in the type of its tag."""
    tag = event.tag.removeprefix(_TAG)
    is_mapping = isinstance(given.value, dict)
    if tag == ("map" if is_mapping else "seq"):
        return given
    if tag == "set" and is_mapping:
        return LocatedValue(set(given.value), given.lines)
    if tag in ("omap", "pairs") and not is_mapping:
        if not all(isinstance(item, dict) and len(item) == 1 for item in given.value):
            problem = "expected a mapping of one key"
            raise ConstructorError(None, None, problem, event.start_mark)
        return LocatedValue([pair for item in given.value for pair in item.items()], given.lines)
    problem = f"could not determine a constructor for the tag '{event.tag}'"
    raise ConstructorError(None, None, problem, event.start_mark)
