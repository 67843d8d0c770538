"""The secrets in templates, in addition to the secrets in rendered data.

A template may assign a password to a variable, pass it to a macro or import it in data, and compute
any value from it. The rules for pillar values decide what is secret, with the names of variables as
keys. In a second compile with placeholders, the template gets these.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Protocol, TypeAlias

from pillarbook.compile.placeholder_views import PlaceholderViews
from pillarbook.compile.renderers.jinja.bindings import Name
from pillarbook.compile.renderers.jinja.literals import Change, Literal
from pillarbook.compile.renderers.written_values import WrittenValue, find_in_lines, is_block
from pillarbook.model import KeyPath
from pillarbook.patterns.ciphertexts import find_ciphertext
from pillarbook.patterns.distinctive import is_distinctive

# Protects memory: texts that templates load may differ for each minion.
MAX_LOADED = 10_000
"""The most texts whose secrets are cached; then the cache is emptied."""
DEEPEST = 50
"""The most levels of data that are searched, since a template can make data that contains
itself."""
_MAPPINGS = (dict, OrderedDict)
_LISTS = (list, tuple)
_SCALARS = (str, int, bytes)
_LOOPED = frozenset(
    (*_LISTS, *(type(view()) for kind in _MAPPINGS for view in (kind().items, kind().values)))  # type: ignore[var-annotated] # of any
)
"""Types of plain data in a loop."""


class SecretRules(Protocol):
    """Decide whether a value at a key path is secret."""

    def find_reason(self, path: KeyPath, value: Any, mark: str | None = None) -> str | None:
        """Return why a value at a path is secret; None if it is not."""

    def may_hide_below(self, key: Hashable) -> bool:
        """Say whether a key may make a value at or below it secret; False is certain."""


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A secret in a template."""

    path: KeyPath
    """The names to which it is assigned; empty if it is secret by its form."""
    value: Any
    """It itself."""
    is_computed: bool = False
    """Whether the render computed it, so that it may not be readable in the tree."""
    is_part: bool = False
    """Whether it is only a literal from which a secret was computed."""
    is_text: bool = False
    """Whether the template only contains it, and does not compute with it."""

    def __repr__(self) -> str:
        """Return its names, never the value."""
        return f"NamedValue({self.path!r})"


Loaded: TypeAlias = dict[tuple[KeyPath, tuple[str, Any], bool], tuple[NamedValue, ...]]
"""The secrets in loaded data, by name, by format and text, and by whether it is computed."""


class TemplateLiterals:
    """The literals of one template; one object for all its renders."""

    def __init__(
        self, literals: tuple[Literal, ...], printed: tuple[WrittenValue, ...] = ()
    ) -> None:
        self.all = literals
        self._printed = printed
        self.texts = "\0".join(one.value for one in literals if isinstance(one.value, str))
        """The literals that are text, joined for a search."""
        self.values = frozenset(one.value for one in literals)
        """The values of all literals."""
        self._secret: tuple[SecretRules, tuple[NamedValue, ...]] | None = None
        self._words: tuple[SecretRules, frozenset[str | int]] | None = None

    def __repr__(self) -> str:
        """Return the number of literals, never one of them."""
        return f"TemplateLiterals({len(self.all)})"

    def secret(self, rules: SecretRules) -> tuple[NamedValue, ...]:
        """Return the literals that are secret; they are judged once for all renders."""
        if self._secret is None or self._secret[0] is not rules:
            found = (
                NamedValue(one.path, one.value)
                for one in self.all
                if rules.find_reason(one.path, one.value) is not None
            )
            printed = secrets_written(self._printed, rules)
            self._secret = rules, tuple(dict.fromkeys((*found, *printed)))
        return self._secret[1]

    def words(self, rules: SecretRules) -> frozenset[str | int]:
        """Return the secret literals that are too common to be looked for everywhere."""
        if self._words is None or self._words[0] is not rules:
            printed = (one for one in self._printed if one[1] in self.values)
            found = (*((one.path, one.value) for one in self.all), *printed)
            words = (
                value
                for path, value in found
                if not is_distinctive(str(value), path)
                and rules.find_reason(path, value) is not None
            )
            self._words = rules, frozenset(words)
        return self._words[1]

    def change(self, placeholders: PlaceholderViews) -> Change:
        """Return the placeholders for literals, by index."""
        made = (
            (number, one.value, placeholders.of_held(one.path, one.value))
            for number, one in enumerate(self.all)
            if not one.is_fixed
        )
        return {number: new for number, value, new in made if new is not value}


def secrets_written(values: Iterable[WrittenValue], rules: SecretRules) -> Iterator[NamedValue]:
    """Yield the secrets among written values, without common words."""
    for path, value in dict.fromkeys(values):
        is_secret = rules.find_reason(path, value) is not None
        if is_secret and find_ciphertext(value) is None and is_distinctive(value, path):
            yield NamedValue(path, value, is_text=True)


class NamedValues:
    """Collects the secrets in the templates of one render, and returns placeholders for them.

    ``placeholders`` is None in a usual compile. ``loaded`` is a cache of the secrets in loaded
    data.
    """

    def __init__(
        self, rules: SecretRules, placeholders: PlaceholderViews | None, loaded: "Loaded"
    ) -> None:
        self.rules = rules
        """Decide what is secret."""
        self.placeholders = placeholders
        """Returns the placeholders."""
        self._loaded = loaded
        self.templates: dict[TemplateLiterals, None] = {}
        """The literals of the templates in the render."""
        self._given: dict[NamedValue, None] = {}

    def found(self) -> tuple[NamedValue, ...]:
        """Return the secrets: literals, arguments of macros, imported data."""
        written = (one for some in self.templates for one in some.secret(self.rules))
        parts = (part for one in self._given for part in self._parts_of(one))
        return tuple(dict.fromkeys((*written, *self._given, *parts)))

    def note_text(self, text: str) -> None:
        """Note the values in a text that does not render, as other files may have copies."""
        self.templates[TemplateLiterals((), tuple(find_in_lines(text)))] = None

    def _parts_of(self, made: NamedValue) -> Iterator[NamedValue]:
        """Yield the literals from which a secret was computed, without common words."""
        if isinstance(made.value, str) and self.placeholders is None:
            for value in frozenset().union(*(one.values for one in self.templates)):
                if isinstance(value, str) and value in made.value and is_distinctive(value):
                    yield NamedValue(made.path, value, is_part=True)

    def take_loaded(
        self, path: KeyPath, data: Any, source: tuple[str, Any], *, is_computed: bool
    ) -> Any:
        """Note data that was loaded from a text; return it, or its placeholders."""
        if self.placeholders is not None:
            return self._replaced(path, data)
        if source[1].__class__ is not str:  # such as an undefined value
            return data
        is_computed = is_computed and not self._spells_out(source[1])
        key = (path, source, is_computed)
        if key not in self._loaded:
            self._remember(key, self._secrets_in(path, data, is_computed))
        self._given.update(dict.fromkeys(self._loaded[key]))
        return data

    def _remember(
        self, key: tuple[KeyPath, tuple[str, Any], bool], found: Iterable[NamedValue]
    ) -> None:
        if len(self._loaded) >= MAX_LOADED:
            self._loaded.clear()
        self._loaded[key] = tuple(found)

    def take_data(self, path: KeyPath, data: Any) -> Any:
        """Note data with a name; return it, or its placeholders.

        It may be computed from anything. It counts as text of the tree only if it is also a
        literal, or a part of loaded data.
        """
        if self.placeholders is not None:
            return self._replaced(path, data)
        written = {one.value for one in self._given if not one.is_computed}
        for found in tuple(self._secrets_in(path, data, True)):
            is_written = found.value in written or self._spells_out(found.value)
            self._given[replace(found, is_computed=not is_written)] = None
        return data

    def take_arguments(
        self, names: tuple[str, ...], given: tuple[Any, ...], by_name: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Note the arguments of a macro; return them, or their placeholders."""
        hiding = frozenset(name for name in names if self.rules.may_hide_below(name))
        if not hiding:
            return given, by_name

        def take(name: str, value: Any) -> Any:
            return self.take_data((name,), value) if name in hiding else value

        taken = tuple(map(take, names, given))
        more = {name: take(name, value) for name, value in by_name.items()}
        return (*taken, *given[len(taken) :]), more

    def watches(self, names: Iterable[Hashable]) -> bool:
        """Say whether one of some names may make a value secret."""
        return any(map(self.rules.may_hide_below, names))

    def is_secret(self, path: KeyPath, value: Any) -> bool:
        """Say whether a value with these names is secret."""
        return self.rules.find_reason(path, value) is not None

    def take_bound(self, path: KeyPath, value: Any) -> Any:
        """Note a value that a template assigns to a name; return it, or its placeholder."""
        return self.take_data(path, value) if self.watches(path) else value

    def take_made(self, mapping: dict[Any, Any]) -> dict[Any, Any]:
        """Note a mapping that a template makes; return it, or one with placeholders."""
        hiding = {key: item for key, item in mapping.items() if self.rules.may_hide_below(key)}
        taken = {key: self.take_data((key,), item) for key, item in hiding.items()}
        is_same = all(taken[key] is item for key, item in hiding.items())
        return mapping if is_same else mapping | taken

    def take_each(self, names: tuple[Name, ...], items: Any, *, are_several: bool) -> Any:
        """Note the items of a loop; return them, or their placeholders.

        An empty name is not a plain name. ``items`` that are not plain data are a view of the
        minion. If there ``are_several``, the parts of an item get a name each.
        """
        if items.__class__ not in _LOOPED or not self._watches_parts(names):
            return items
        given = list(items)
        if are_several:
            taken = [self.take_parts(names, item) for item in given]
        else:
            taken = [self.take_data(names, item) for item in given]
        return items if all(map(is_, taken, given)) else taken

    def take_parts(self, names: tuple[Name, ...], value: Any) -> Any:
        """Note the parts of a value that get a name each; return it, or one with placeholders."""
        if value.__class__ not in _LISTS or len(value) != len(names):
            return value
        parts = tuple(map(self._take_part, names, value))
        return value if all(map(is_, parts, value)) else parts

    def _take_part(self, name: Name, part: Any) -> Any:
        return (
            self.take_bound((name,), part) if isinstance(name, str) else self.take_parts(name, part)
        )

    def _watches_parts(self, names: tuple[Name, ...]) -> bool:
        return any(
            self.rules.may_hide_below(one) if isinstance(one, str) else self._watches_parts(one)
            for one in names
        )

    def take_written(self, source: str, values: Callable[[], Iterable[WrittenValue]]) -> None:
        """Note the values that source code sets."""
        key = ((), ("code", source), False)
        if key not in self._loaded:
            self._remember(key, secrets_written(values(), self.rules))
        self._given.update(dict.fromkeys(self._loaded[key]))

    def take_printed(self, macro: str, text: Any) -> Any:
        """Note the text that a macro prints; any part of several lines may be the secret."""
        if not isinstance(text, str) or is_block(text):
            return text
        return self.take_bound((macro,), text)

    def is_word(self, value: Any) -> bool:
        """Say whether a literal is a secret that is too common to be looked for everywhere."""
        return any(value in one.words(self.rules) for one in self.templates)

    def _spells_out(self, value: Any) -> bool:
        """Say whether a template of this render has a literal with this value."""
        return any(value in one.values for one in self.templates)

    def _secrets_in(self, path: KeyPath, data: Any, is_computed: bool) -> Iterator[NamedValue]:
        """Yield the secrets in plain data; data in a view is the minion's and not the file's."""
        if len(path) > DEEPEST:
            return
        if data.__class__ in _MAPPINGS:
            for key, item in data.items():
                yield from self._secrets_in((*path, key), item, is_computed)
        elif data.__class__ in _LISTS:
            for index, item in enumerate(data):
                yield from self._secrets_in((*path, index), item, is_computed)
        elif isinstance(data, _SCALARS) and self.rules.find_reason(path, data) is not None:
            yield NamedValue(path, data, is_computed)

    def _replaced(self, path: KeyPath, data: Any) -> Any:
        """Return plain data with placeholders; the same object if it contains no secret."""
        if len(path) > DEEPEST or self.placeholders is None:
            return data
        if data.__class__ in _MAPPINGS:
            made = {key: self._replaced((*path, key), item) for key, item in data.items()}
            same = all(made[key] is item for key, item in data.items())
            return data if same else data.__class__(made)
        if data.__class__ in _LISTS:
            items = [self._replaced((*path, index), item) for index, item in enumerate(data)]
            same = all(new is item for new, item in zip(items, data, strict=True))
            return data if same else data.__class__(items)
        if not isinstance(data, _SCALARS):
            return data
        made = self.placeholders.of_held(path, data)
        if made is not data:
            self._given[NamedValue(path, data, is_computed=True)] = None
        return made
