"""The includes of one SLS, processed in order.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``).
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pillarbook.compile.broken import CompileBreaksOff, word_missing_environment
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.unknown_text import unknown_leaf
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.watched_data import unwatched
from pillarbook.diagnostics import new_diagnostic
from pillarbook.model import KeyPath, MapNode, Node, Position, plain
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, UnprovenUnknown

if TYPE_CHECKING:
    from pillarbook.compile.sls.pstate import SlsRenderer


class SlsData:
    """The data of an SLS, as in Salt: one mutable object for all files that include it.

    With the strategy ``overwrite``, a merge over it changes it. An SLS that has gathered it before,
    and merges it later, merges the changed data. Each render makes a new object.
    """

    __slots__ = ("tree",)

    def __init__(self, tree: Node) -> None:
        self.tree = tree


def put_under(state: Node, key: KeyPath) -> Node:
    """Return data below the keys of ``include: key:``."""
    for part in reversed(key):
        shared = getattr(state, "shared", False)
        state = MapNode({part: state}, state.origins, kind="plain", shared=shared)
    return state


REMEDIES = {
    "get": "an entry is the name of an SLS, or `NAME: {key: ..., defaults: ...}`, without an"
    " environment",
    "lstrip": "an entry is the name of an SLS, as a text",
    "split": "write `key` as a text; a colon separates keys",
}
"""What to write in an include at which Salt stops, by the attribute that Salt wants."""
# Protects time: each is rendered, and all that it sets is unknown.
MAX_CANDIDATES = 50
"""The most SLS files that an entry with an unknown name may mean."""
# Protects memory: thirty levels of includes could give a thousand million errors.
MAX_ERRORS = 10_000
"""The most errors; Salt adds errors twice for an SLS that is included by name, so they double with
each level of includes."""


@dataclass(frozen=True, slots=True, eq=False)
class IncludeEntry:
    """An entry of an include list."""

    value: Any
    """The entry."""
    place: Position
    """Its position."""
    is_secret: bool
    """Whether it was decrypted."""

    @classmethod
    def of(cls, node: Node) -> "IncludeEntry":
        """Return the entry for a node."""
        return cls(
            plain(node), node.origins[-1].position, any(leaf.secret for leaf in all_leaves(node))
        )


class SlsRequest(NamedTuple):
    """A request to render an included SLS."""

    sls: str
    named_at: Position | None
    """The position of the include entry, or of the entry in the top file."""
    defaults: Any
    """Variables from ``include: defaults:``."""
    is_secret: bool
    """Whether its name was decrypted."""
    is_included: bool = True
    """Whether an include names it, and not a top file."""


SlsAnswer = tuple[SlsData | None, list[str]]
"""The data of an SLS merged with its includes, and Salt's errors."""
Rendering = Generator[SlsRequest, SlsAnswer, SlsAnswer]
"""The render of an SLS, which yields requests for its includes."""


class _Included(NamedTuple):
    """The data of an included SLS."""

    data: SlsData
    """The data."""
    key: tuple[str, ...]
    """The keys below which it is put."""


class Gathering:
    """The includes of one SLS, processed in order."""

    def __init__(
        self,
        renderer: "SlsRenderer",
        sls: str,
        state: SlsData,
        *,
        is_init: bool,
        defaults: Mapping[str, Any],
    ) -> None:
        self._renderer = renderer
        self._sls = sls
        self._state = state
        self._is_init = is_init
        self._defaults: Any = defaults
        self._override = bool(
            renderer.view.scope.options.values.get("pillar_includes_override_sls")
        )
        self._states: list[_Included] = []
        self._last_errors: list[str] = []
        self.errors: list[str] = []

    def take(self, entry: IncludeEntry) -> Generator[SlsRequest, SlsAnswer, None]:
        """Process one entry of the include list; yield a request for each unrendered SLS."""
        key = None
        name, place = entry.value, entry.place
        if isinstance(name, Unknown):
            yield from self._take_unknown(name, entry)
            return
        if isinstance(name, dict):
            name, body = next(iter(name.items()), (None, None))
            if not isinstance(body, dict):
                raise breaks_off(body, "get", place)
            # Not reset for the next entry: in Salt, they apply to all later entries, too.
            self._defaults = unwatched(body.get("defaults", {}))
            key = body.get("key", None)
            self._renderer.describe_settings(body, entry)
        if not isinstance(name, str):
            raise breaks_off(name, "lstrip", place)
        for match in self._expand(name):
            yield from self._take_one(match, key, entry)

    def _take_unknown(
        self, unknown: Unknown, entry: IncludeEntry
    ) -> Generator[SlsRequest, SlsAnswer, None]:
        """Process an entry that may be any SLS of a glob: what these set is unknown."""
        renderer = self._renderer
        names = self._candidates(unknown.shape or "*")
        trees: list[MapNode] = []
        if len(names) > MAX_CANDIDATES:
            raise UnprovenUnknown(self._sls)
        with renderer.trying():
            for sls in dict.fromkeys(names):
                renderer.note_include(self._sls, sls)
                is_stored, state = renderer.stored(sls)
                if not is_stored:
                    request = SlsRequest(sls, entry.place, self._defaults, entry.is_secret)
                    state, _ = yield request
                if state is not None and isinstance(state.tree, MapNode):
                    trees.append(state.tree)
        depends = replace(unknown, may_miss=True, shape=None)
        items = {
            key: unknown_leaf(one, depends) for tree in trees for key, one in tree.items.items()
        }
        if not items:
            return
        included = SlsData(MapNode(items, trees[0].origins, kind=trees[0].kind))
        if self._override:
            self._state = renderer.merge(self._state, included.tree)
        else:
            self._states.append(_Included(included, ()))

    def _candidates(self, shape: str) -> list[str]:
        """Return the SLS names that a name of which parts are unknown may mean."""
        # What an answer makes of a `[` is not known either; and an empty one may name an init.sls.
        pattern, is_open, _ = shape.partition("[")
        pattern += "*" if is_open else ""
        names = self._expand(pattern)
        for ending in (".*", ".init"):
            if pattern.endswith(ending):
                names += self._expand(pattern.removesuffix(ending))
        return names

    def _expand(self, name: str) -> list[str]:
        """Return the SLS names for an include entry, some of them twice."""
        roots, saltenv = self._renderer.view.scope.roots, self._renderer.saltenv
        if roots.available(saltenv) is None:
            self.errors.append(word_missing_environment(saltenv))
            return [name]
        # Twice on purpose: Salt looks for the name as written and for the resolved one, and uses
        # all results.
        pattern = name.lstrip(".").replace("/", ".")
        self._renderer.note_match(pattern)
        matches = list(roots.matching(pattern, saltenv))
        if name.startswith("."):
            parts = self._sls.split(".") if self._is_init else self._sls.split(".")[:-1]
            name = ".".join([*parts, name[1:]])
        self._renderer.note_match(name)
        matches.extend(roots.matching(name, saltenv))
        return matches or [name]

    def _take_one(
        self, sls: str, key: Any, entry: IncludeEntry
    ) -> Generator[SlsRequest, SlsAnswer, None]:
        self._renderer.note_include(self._sls, sls)
        is_stored, state = self._renderer.stored(sls)
        if not is_stored:
            # As in Salt, an error remains for later includes that are not rendered again.
            request = SlsRequest(sls, entry.place, self._defaults, entry.is_secret)
            state, self._last_errors = yield request
        if state is not None and not is_falsy(state.tree):
            parts = _split_key(key, entry.place)
            if parts:
                self._renderer.note_under(self._sls, sls, parts)
            # With this strategy each one is merged at once, over the including file; otherwise all
            # of them are merged together, below it.
            if self._override:
                if parts and state is self._state and self._renderer.overwrites:
                    _refuse_cycle(state.tree, parts[0], entry.place)
                given = self._renderer.put_under(state.tree, parts)
                self._state = self._renderer.merge(self._state, given)
            else:
                self._states.append(_Included(state, parts))
        if len(self.errors) + len(self._last_errors) > MAX_ERRORS:
            where = entry.place.file, entry.place.line
            raise LimitExceeded(f"its includes cause more than {MAX_ERRORS:,} errors", where)
        self.errors.extend(self._last_errors)

    def finish(self) -> SlsData:
        """Return the SLS's data merged with all its includes."""
        if not self._states:
            return self._state
        if not self._renderer.overwrites:
            trees = (self._renderer.put_under(one.data.tree, one.key) for one in self._states)
            return self._renderer.merge_all((*trees, self._state.tree))
        first, *others = self._states
        put_under = self._renderer.put_under
        merged = SlsData(put_under(first.data.tree, first.key)) if first.key else first.data
        for state in others:
            merged = self._renderer.merge(merged, put_under(state.data.tree, state.key))
        return self._renderer.merge(merged, self._state.tree)


def _refuse_cycle(tree: Node, key: str, place: Position) -> None:
    """Stop as Salt does if an SLS replaces a key of its own with itself, which has no end."""
    if isinstance(tree, MapNode) and key in tree.items:
        words = "RecursionError: maximum recursion depth exceeded"
        message = f"Salt stops at this include, which puts the SLS into itself: {words}"
        raise CompileBreaksOff(words, new_diagnostic("compile-breaks-off", message, place))


def breaks_off(entry: Any, attribute: str, place: Position | None) -> CompileBreaksOff:
    """Return the error with which Salt stops at an include of another form."""
    words = f"AttributeError: '{type(entry).__name__}' object has no attribute '{attribute}'"
    message = f"Salt stops at this include: {words}"
    remedy = REMEDIES[attribute]
    return CompileBreaksOff(
        words, new_diagnostic("compile-breaks-off", message, place, remedy=remedy)
    )


def not_a_mapping(error: Exception, trees: Iterable[Node]) -> CompileBreaksOff:
    """Return the error with which Salt stops at a merge of SLS files."""
    wrong = next((tree for tree in trees if not isinstance(tree, MapNode)), None)
    if wrong is None:
        return CompileBreaksOff(str(error))
    message = f"Salt stops at an SLS that is not a mapping: {error}"
    remedy = "put its data below a key"
    place = wrong.origins[-1].position
    return CompileBreaksOff(
        str(error), new_diagnostic("compile-breaks-off", message, place, remedy=remedy)
    )


def _split_key(key: Any, place: Position | None) -> tuple[str, ...]:
    """Return the keys of ``include: key:``; none if there is no ``key``."""
    if not key:
        return ()
    if not isinstance(key, str):
        raise breaks_off(key, "split", place)
    return tuple(key.split(":"))
