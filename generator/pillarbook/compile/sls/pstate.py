"""One SLS of a minion with what it includes.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pillarbook.compile.broken import CompileBreaksOff, word_missing_environment, word_missing_sls
from pillarbook.compile.merge import MergeError, Merger
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.compile.reads import unwatched
from pillarbook.compile.render_file import RenderResult, render_file
from pillarbook.compile.renderers.ciphertext import name_sealed
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.secret_marks import all_leaves
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.renderers.yamlex_names import names_in
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.tree_lookups import RootsLookup
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import ListNode, MapNode, Node, Position, plain
from pillarbook.roots import FoundFile

# Protects memory: thirty levels of includes would be a thousand million errors.
MAX_ERRORS = 10_000
"""Salt takes what an include names twice, so errors double with each level of includes."""
NOTHING = MapNode({}, (), kind="plain")
HIDDEN = "<redacted>"
"""Stands for a name that was decrypted."""


class SlsData:
    """What an SLS gave, as Salt has it: one object, for all that include it, that may change.

    With the strategy ``overwrite`` it does where something is merged over it: whoever has gathered
    it before, and merges it later, merges what it has become. Rendered anew, it is another one.
    """

    __slots__ = ("tree",)

    def __init__(self, tree: Node) -> None:
        self.tree = tree


class SlsRenderer:
    """Renders SLS files of one minion in one environment; each is stored for later includes."""

    def __init__(
        self,
        view: MinionView,
        saltenv: Any,
        ignored: frozenset[tuple[Any, str]],
        merger: Merger,
        log: CompileLog,
    ) -> None:
        self.view = view
        self.saltenv = saltenv
        self._ignored = ignored
        self._merger = merger
        self._log = log
        self._stored: dict[Any, SlsData | None] = {}

    def render(
        self,
        sls: str,
        named_at: Position | None,
        defaults: Mapping[str, Any] | None = None,
        *,
        is_secret: bool = False,
    ) -> tuple[SlsData | None, list[str]]:
        """Return an SLS's data with its includes merged in, and Salt's errors.

        ``named_at`` is in the top file or the including SLS, ``defaults`` are variables from
        ``include: defaults:``; ``is_secret`` says that the name was decrypted.

        Raises:
            CompileBreaksOff: An include of a shape that Salt's own compile does not survive.
        """
        self._log.looks[RootsLookup("sls", sls, self.saltenv)] = None
        found, is_init = self.view.scope.roots.find_sls(sls, self.saltenv)
        if found is None:
            is_hidden = is_secret and not self.view.project.reveals
            return None, self._report_missing(sls, named_at, HIDDEN if is_hidden else sls)
        defaults = {} if defaults is None else defaults
        result = render_file(found, sls, self.saltenv, self.view, defaults)
        self._take(result, found)
        tree = result.tree
        state = self._stored[sls] = None if tree is None else SlsData(tree)
        if result.message is not None:
            return None, [self._word_failure(sls, result.message)]
        if state is None or tree is None or is_falsy(tree):
            return state, []
        if not isinstance(tree, MapNode):
            return state, [self._report_text(sls, found)]
        if "include" not in tree.items:
            return state, []
        return self._include(sls, state, tree, found, is_init=is_init, defaults=defaults)

    def _take(self, result: RenderResult, found: FoundFile) -> None:
        self._log.renders.append(result)
        self._log.diagnostics.update(dict.fromkeys(result.diagnostics))
        self._log.sealed = self._log.sealed or result.sealed
        if self.view.without_recording:
            for key in self.view.pillar_shown:
                self._log.into_pillar.setdefault(key, found)

    def _word_failure(self, sls: str, message: str) -> str:
        if self.view.scope.options.values.get("pillar_safe_render_error", True):
            return f"Rendering SLS '{sls}' failed. Please see master log for details."
        return f"Rendering SLS '{sls}' failed, render error:\n{message}"

    def _report_missing(self, sls: str, named_at: Position | None, shown: str) -> list[str]:
        if (self.saltenv, sls) in self._ignored:
            return []
        if not self.view.scope.roots.has_trees(self.saltenv):
            return []  # Salt only logs it
        self._stored[sls] = SlsData(NOTHING)  # Salt goes on with an empty file, and stores that
        message = f"the SLS '{shown}' does not exist in environment '{self.saltenv}'"
        remedy = "add the file, or `ignore_missing: True` to the target if it may be absent"
        barred = self.view.scope.roots.bars_sls(sls, str(self.saltenv))
        if barred is not None:
            message = f"the SLS '{shown}' is not looked at: {barred} cannot be read"
            remedy = "let whoever runs pillarbook read it"
        self._describe("missing-sls", message, named_at, remedy)
        return [word_missing_sls(shown, self.saltenv)]

    def _report_text(self, sls: str, found: FoundFile) -> str:
        """Say that an SLS is no mapping, or that it is ciphertext as a whole, which is none."""
        words = f"SLS '{sls}' does not render to a dictionary"
        kind = name_sealed(found.content)
        if kind is None:
            return self._report_shape(found, words)
        self._log.sealed = True
        message = f"SLS '{sls}' is {kind}, and is not decrypted"
        self._describe("sealed-sls", message, Position(found.shown, 1), None, Severity.WARNING)
        return words

    def _report_shape(self, found: FoundFile, words: str, place: Position | None = None) -> str:
        message = words[0].lower() + words[1:] if not words.startswith("SLS") else words
        self._describe("sls-shape", message, place or Position(found.shown, 1), None)
        return words

    def _describe(
        self,
        code: str,
        message: str,
        position: Position | None,
        remedy: str | None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        self._log.diagnostics[
            Diagnostic(
                code=code,
                severity=severity,
                message=message,
                position=position,
                help=remedy,
            )
        ] = None

    def _include(
        self,
        sls: str,
        state: SlsData,
        tree: MapNode,
        found: FoundFile,
        *,
        is_init: bool,
        defaults: Mapping[str, Any],
    ) -> tuple[SlsData, list[str]]:
        included = tree.items["include"]
        if not isinstance(included, ListNode):
            words = f"Include Declaration in SLS '{sls}' is not formed as a list"
            return state, [self._report_shape(found, words, _position(included))]
        entries, state.tree = self._take_out_include(tree, included)
        gathering = _Gathering(self, sls, state, is_init=is_init, defaults=defaults)
        for entry in entries:
            gathering.take(entry)
        return gathering.finish(), gathering.errors

    def _take_out_include(
        self, state: MapNode, included: ListNode
    ) -> tuple[list["_Entry"], MapNode]:
        """Return the entries of an SLS's include with their places, and the SLS without it."""

        def take_out() -> tuple[list[_Entry], MapNode]:
            items = {name: item for name, item in state.items.items() if name != "include"}
            return self._read_entries(state, included), replace(state, items=items)

        # By the node of the SLS, which never changes. The tree without `include` has to be one
        # object for all minions, or their merges would not be shared.
        return self.view.remembered.derive(("include", state), take_out)

    def _read_entries(self, state: MapNode, included: ListNode) -> list["_Entry"]:
        """Return the entries of an include; their defaults are shown to the included file."""
        top = MapNode({"include": included}, included.origins)
        shown = with_placeholders(top, self.view.project.placeholders).items["include"]
        return [
            replace(_Entry.of(item), value=names_in(state, entry))
            for entry, item in zip(plain(shown), included.items, strict=True)
        ]

    def merge(self, base: SlsData, update: Node) -> SlsData:
        """Merge something over an SLS's data, which changes where Salt changes it in place."""
        given = base.tree
        try:
            merged = self._merger.merge(given, update)
        except MergeError as error:
            raise CompileBreaksOff(str(error)) from error
        # In this order: Salt changes the stored SLS only once it was merged, and a later include of
        # the same SLS gets the changed one.
        base.tree = self._merger.overwritten_base(given, update)
        return SlsData(merged)

    def note_include(self, sls: str, included: str) -> None:
        """Note that an SLS includes another."""
        self._log.includes.add((str(self.saltenv), sls, included))

    def note_match(self, pattern: str) -> None:
        """Note that the environment was asked which SLS names a pattern fits."""
        self._log.looks[RootsLookup("matching", (pattern,), self.saltenv)] = None

    def stored(self, sls: str) -> tuple[bool, SlsData | None]:
        """Return whether an SLS was rendered before in this environment, and what was stored."""
        return sls in self._stored, self._stored.get(sls)


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """An entry of an include list."""

    value: Any
    """The entry."""
    place: Position
    """Its position."""
    is_secret: bool
    """Whether it was decrypted."""

    @classmethod
    def of(cls, node: Node) -> "_Entry":
        """Return the entry that a node is."""
        return cls(plain(node), _position(node), any(leaf.secret for leaf in all_leaves(node)))


class _Included(NamedTuple):
    """Data that an SLS includes."""

    data: SlsData
    """What the included one gave."""
    key: Sequence[str]
    """The keys that it is put under."""


class _Gathering:
    """The includes of one SLS, taken in order."""

    def __init__(
        self,
        renderer: SlsRenderer,
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

    def take(self, entry: _Entry) -> None:
        """Take one entry of the include list."""
        key = None
        name, place = entry.value, entry.place
        if isinstance(name, dict):
            name, body = next(iter(name.items()), (None, None))
            if not isinstance(body, dict):
                raise _breaks_off(body, "get", place)
            # Not reset for the next entry: in Salt they hold for all entries after it, too.
            self._defaults = unwatched(body.get("defaults", {}))
            key = body.get("key", None)
        if not isinstance(name, str):
            raise _breaks_off(name, "lstrip", place)
        for match in self._expand(name):
            self._take_one(match, key, entry)

    def _expand(self, name: str) -> list[str]:
        """Return the SLS names that an include entry stands for, some of them twice."""
        roots, saltenv = self._renderer.view.scope.roots, self._renderer.saltenv
        if roots.available(saltenv) is None:
            self.errors.append(word_missing_environment(saltenv))
            return [name]
        # Twice on purpose: Salt asks for the name as written and for the resolved one, and takes
        # what both find.
        pattern = name.lstrip(".").replace("/", ".")
        self._renderer.note_match(pattern)
        matches = list(roots.matching(pattern, saltenv))
        if name.startswith("."):
            parts = self._sls.split(".") if self._is_init else self._sls.split(".")[:-1]
            name = ".".join([*parts, name[1:]])
        self._renderer.note_match(name)
        matches.extend(roots.matching(name, saltenv))
        return matches or [name]

    def _take_one(self, sls: str, key: Any, entry: _Entry) -> None:
        self._renderer.note_include(self._sls, sls)
        is_stored, state = self._renderer.stored(sls)
        if not is_stored:
            # An error stays for the includes after it that are not rendered anew, as in Salt.
            state, self._last_errors = self._renderer.render(
                sls, entry.place, self._defaults, is_secret=entry.is_secret
            )
        if state is not None and not is_falsy(state.tree):
            parts = _split_key(key, entry.place)
            # Merged at once, over the including file; else all of them together, under it.
            if self._override:
                given = _put_under(state.tree, parts)
                self._state = self._renderer.merge(self._state, given)
            else:
                self._states.append(_Included(state, parts))
        if len(self.errors) + len(self._last_errors) > MAX_ERRORS:
            where = entry.place.file, entry.place.line
            raise LimitExceeded(f"its includes give more than {MAX_ERRORS:,} errors", where)
        self.errors.extend(self._last_errors)

    def finish(self) -> SlsData:
        """Return the SLS's data with all its includes."""
        if not self._states:
            return self._state
        first, *others = self._states
        merged = SlsData(_put_under(first.data.tree, first.key)) if first.key else first.data
        for state in others:
            merged = self._renderer.merge(merged, _put_under(state.data.tree, state.key))
        return self._renderer.merge(merged, self._state.tree)


def _breaks_off(entry: Any, attribute: str, place: Position | None) -> CompileBreaksOff:
    """Return how Salt ends over an include of another shape."""
    words = f"AttributeError: '{type(entry).__name__}' object has no attribute '{attribute}'"
    message = f"Salt breaks off at this include: {words}"
    return CompileBreaksOff(
        words,
        Diagnostic(
            code="compile-breaks-off", severity=Severity.ERROR, message=message, position=place
        ),
    )


def _split_key(key: Any, place: Position | None) -> Sequence[str]:
    """Return the keys of ``include: key:``, none if it is not given."""
    if not key:
        return ()
    if not isinstance(key, str):
        raise _breaks_off(key, "split", place)
    return key.split(":")


def _put_under(state: Node, key: Sequence[str]) -> Node:
    for part in reversed(key):
        shared = getattr(state, "shared", False)
        state = MapNode({part: state}, state.origins, kind="plain", shared=shared)
    return state


def _position(node: Node) -> Position:
    origin = node.origins[-1]
    return Position(origin.file, origin.line)
