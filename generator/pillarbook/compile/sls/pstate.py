"""Renders one SLS of a minion with its includes.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff, word_missing_sls
from pillarbook.compile.merge import MergeError, Merger
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.compile.reads import fingerprint
from pillarbook.compile.render_file import render_file
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.ciphertext import name_sealed
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.renderers.yamlex_names import names_in
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.sls.doubtful_includes import (
    INCLUDE,
    KEYS,
    SETTINGS,
    describe_settings,
    find_doubtful,
    refuse_defaults,
    visible_defaults,
)
from pillarbook.compile.sls.includes import (
    Gathering,
    IncludeEntry,
    Rendering,
    SlsAnswer,
    SlsData,
    SlsRequest,
    not_a_mapping,
    put_under,
)
from pillarbook.compile.sls.whole_sls import StoredSls, WholeSlsRecall
from pillarbook.compile.tree_lookups import RootsLookup
from pillarbook.compile.unknown_includes import describe_unknown_names
from pillarbook.compile.unknown_trials import is_unanswered
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import ListNode, MapNode, Node, Position, plain
from pillarbook.model.unknown import UnprovenUnknown
from pillarbook.roots.tree_interface import FoundFile

NOTHING = MapNode({}, (), kind="plain")
HIDDEN = "<redacted>"
"""Replaces a name that was decrypted."""
# Protects time: each level is rendered and merged, and an SLS may include itself.
MAX_LEVELS = 200
"""The most levels of includes; in Salt, about 950, depending on Python's stack and the caller."""


class SlsRenderer:
    """Renders SLS files of one minion in one environment; stores them for later includes."""

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
        # By name alone, like Salt's `mods`: a second include of an SLS gets the stored data, with
        # all changes by merges. For one environment of one minion.
        self._stored = StoredSls()
        self._renders = renders = view.remembered.renders
        kind = (view.scope.number, fingerprint(saltenv), saltenv, ignored)
        self._recall = WholeSlsRecall(
            view.remembered.whole_sls,
            view.remembered.ripe_sls,
            (*kind, view.with_unknowns, view.shows_pillar),
            view.answer,
            self._stored,
            lambda: renders.misses,
        )
        # With `overwrite`, a merge may change what is stored, so each step has an effect.
        self._recalls = not (view.without_recording or merger.overwrites)
        self._is_trying = False

    def render(self, sls: str, named_at: Position | None) -> SlsAnswer:
        """Return an SLS's data merged with its includes, and Salt's errors.

        ``named_at`` is its position in the top file.

        Raises:
            CompileBreaksOff: An include has a form at which Salt's compile stops.
        """
        log = self._log
        request = SlsRequest(sls, named_at, {}, is_secret=False, is_included=False)
        if not self._recalls:
            return self._render_whole(request, log)
        known = self._recall.find(sls, named_at)
        if known is None:
            return self._recall.make(sls, named_at, log, partial(self._render_whole, request))
        log.join_sls(known.log)
        self._stored.take(known.stored)
        return known.data, [*known.errors]

    def _render_whole(self, request: SlsRequest, log: CompileLog) -> SlsAnswer:
        """Render an SLS with its includes, and note in a log what there is besides data."""
        self._log, before = log, self._log
        try:
            return self._run(request)
        finally:
            self._log = before

    def _run(self, request: SlsRequest) -> SlsAnswer:
        # A list and no recursion: the limit of Python's stack would depend on the caller and on
        # cached results.
        begun = [self._render(request)]
        answer: Any = None
        while begun:
            try:
                asked = begun[-1].send(answer)
            except StopIteration as finished:
                begun.pop()
                answer = finished.value
            except (CompileBreaksOff, LimitExceeded):
                if self._is_trying:  # perhaps this SLS is not included
                    raise UnprovenUnknown(request.sls) from None
                raise
            else:
                answer = None
                if len(begun) < MAX_LEVELS:
                    begun.append(self._render(asked))
                else:
                    answer = self._refuse_deep(asked)
        made: SlsAnswer = answer
        return made

    def _render(self, request: SlsRequest) -> Rendering:
        sls, named_at, defaults, *_ = request
        defaults = {} if defaults is None else defaults
        self._log.looks[RootsLookup("sls", sls, self.saltenv)] = None
        found, is_init = self.view.scope.roots.find_sls(sls, self.saltenv)
        shown = self._shown(request)
        missing = self._report_missing(request, shown) if found is None else []
        refused = self._report_refused(sls, named_at, shown, defaults) if found or missing else []
        if found is None or refused:
            return None, [*missing, *refused]
        misses = self._renders.misses
        result = render_file(found, sls, self.saltenv, self.view, visible_defaults(defaults))
        self._recall.note_file(sls, result.questions, is_own=self._renders.misses != misses)
        self._take(result, found)
        tree = result.tree
        state = self._stored[sls] = None if tree is None else SlsData(tree)
        if result.message is not None:
            return None, [self._word_failure(sls, result.message)]
        if state is None or tree is None or is_falsy(tree):
            return state, []
        if not isinstance(tree, MapNode):
            return state, [self._report_text(sls, found)]
        if not KEYS.isdisjoint(tree.items):
            self._note(find_doubtful(tree, self._is_sls))
        if INCLUDE not in tree.items:
            return state, []
        return (yield from self._include(sls, state, tree, is_init=is_init, defaults=defaults))

    def _shown(self, request: SlsRequest) -> str:
        return HIDDEN if request.is_secret and not self.view.project.reveals else request.sls

    def _refuse_deep(self, request: SlsRequest) -> SlsAnswer:
        """Report that an SLS is not rendered, because the includes are too deep."""
        self._stored[request.sls] = None
        message = f"SLS files include each other more than {MAX_LEVELS} levels deep"
        remedy = "`.` in an init.sls names the file itself, with one more dot each time"
        self._describe("limit-exceeded", message, request.named_at, remedy)
        return None, [self._word_failure(self._shown(request), "maximum recursion depth exceeded")]

    def _take(self, result: RenderResult, found: FoundFile) -> None:
        self._log.renders.append(result)
        self._log.diagnostics.update(dict.fromkeys(result.diagnostics))
        self._log.sealed = self._log.sealed or result.sealed
        if result.has_unknown:
            self._log.has_unknown = True
            self._log.diagnostics.update(dict.fromkeys(describe_unknown_names(result.tree)))
        if self.view.without_recording:
            for key in self.view.pillar_shown:
                self._log.into_pillar.setdefault(key, found)

    def _word_failure(self, sls: str, message: str) -> str:
        if self.view.scope.options.values.get("pillar_safe_render_error", True):
            return f"Rendering SLS '{sls}' failed. Please see master log for details."
        return f"Rendering SLS '{sls}' failed, render error:\n{message}"

    def _report_missing(self, request: SlsRequest, shown: str) -> list[str]:
        sls = request.sls
        if (self.saltenv, sls) in self._ignored:
            return []
        if not self.view.scope.roots.has_trees(self.saltenv):
            return []  # Salt only logs this
        self._stored[sls] = SlsData(NOTHING)  # Salt continues with an empty file, and stores that
        message = f"the SLS '{shown}' does not exist in environment '{self.saltenv}'"
        remedy = (
            "add the file, or remove it from the include"
            if request.is_included
            else "add the file, or `ignore_missing: True` to the target if it may be absent"
        )
        if shown == sls:  # else it is a secret
            remedy = self.view.scope.roots.suggest_sls(sls, str(self.saltenv)) or remedy
        barred = self.view.scope.roots.bars_sls(sls, str(self.saltenv))
        if barred is not None:
            message = f"the SLS '{shown}' is not used: {barred} cannot be read"
            remedy = "give the user that runs pillarbook the permission to read it"
        self._describe("missing-sls", message, request.named_at, remedy, missing=("sls", shown))
        return [word_missing_sls(shown, self.saltenv)]

    def _report_refused(
        self, sls: str, named_at: Position | None, shown: str, defaults: Any
    ) -> list[str]:
        """Report it if Salt does not render an SLS because of the defaults of its include."""
        refused = refuse_defaults(defaults)
        if refused is None:
            return []
        self._stored[sls] = None
        message = f"SLS '{shown}' does not render: Salt rejects the `defaults` of its include"
        remedy = "`defaults` must be a mapping of names, without the names that Salt sets itself"
        self._describe("render-error", message, named_at, remedy)
        return [self._word_failure(shown, refused)]

    def _report_text(self, sls: str, found: FoundFile) -> str:
        """Report that an SLS is not a mapping, or that it is ciphertext as a whole."""
        words = f"SLS '{sls}' does not render to a dictionary"
        kind = name_sealed(found.content)
        if kind is None:
            no_space = re.search(rb"(?m)^[\w-]+:[^\s:/]", found.content)
            remedy = "write a space after each colon" if no_space else "put its data below a key"
            return self._report_shape(words, Position(found.shown, 1), remedy)
        self._log.sealed = True
        message = f"SLS '{sls}' is {kind}, and is not decrypted"
        self._describe("sealed-sls", message, Position(found.shown, 1), None)
        return words

    def _is_sls(self, name: str) -> bool:
        self._log.looks[RootsLookup("sls", name, self.saltenv)] = None
        return self.view.scope.roots.find_sls(name, self.saltenv)[0] is not None

    def describe_settings(self, body: Mapping[Any, Any], entry: IncludeEntry) -> None:
        """Note the settings of an include's entry that Salt does not know."""
        if not (entry.is_secret or body.keys() <= SETTINGS):
            self._note(describe_settings(body, entry.place))

    def _note(self, diagnostics: Iterable[Diagnostic]) -> None:
        self._log.diagnostics.update(dict.fromkeys(diagnostics))

    def _report_shape(self, words: str, place: Position, remedy: str) -> str:
        message = words[0].lower() + words[1:] if not words.startswith("SLS") else words
        self._describe("sls-shape", message, place, remedy)
        return words

    def _describe(
        self,
        code: str,
        message: str,
        position: Position | None,
        remedy: str | None,
        missing: tuple[str, str] | None = None,
    ) -> None:
        self._log.diagnostics[
            new_diagnostic(code, message, position, missing=missing, remedy=remedy)
        ] = None

    def _include(
        self, sls: str, state: SlsData, tree: MapNode, *, is_init: bool, defaults: Mapping[str, Any]
    ) -> Rendering:
        included = tree.items["include"]
        if not isinstance(included, ListNode):
            words = f"Include Declaration in SLS '{sls}' is not formed as a list"
            remedy = "write a list, also for a single name: `include: [NAME]`"
            return state, [self._report_shape(words, included.origins[-1].position, remedy)]
        entries, state.tree = self._take_out_include(tree, included)
        gathering = Gathering(self, sls, state, is_init=is_init, defaults=defaults)
        for entry in entries:
            yield from gathering.take(entry)
        return gathering.finish(), gathering.errors

    def _take_out_include(
        self, state: MapNode, included: ListNode
    ) -> tuple[list["IncludeEntry"], MapNode]:
        """Return the entries of an SLS's include with their positions, and the SLS without it."""

        def take_out() -> tuple[list[IncludeEntry], MapNode]:
            items = {name: item for name, item in state.items.items() if name != "include"}
            return self._read_entries(state, included), replace(state, items=items)

        # By the node of the SLS, which never changes. All minions need the same tree without
        # `include`, so that they share merges.
        return self.view.remembered.derive_of_node(("include", state), take_out)

    def _read_entries(self, state: MapNode, included: ListNode) -> list["IncludeEntry"]:
        """Return the entries of an include; the included file can read their defaults."""
        top = MapNode({"include": included}, included.origins)
        shown = with_placeholders(top, self.view.project.placeholders).items["include"]
        return [
            replace(IncludeEntry.of(item), value=names_in(state, entry))
            for entry, item in zip(plain(shown), included.items, strict=True)
        ]

    def merge(self, base: SlsData, update: Node) -> SlsData:
        """Merge data over an SLS's data, and change that data if Salt changes it in place."""
        given = base.tree
        try:
            merged = self._merger.merge(given, update)
        except MergeError as error:
            raise not_a_mapping(error, (given, update)) from error
        # In this order: Salt changes the stored SLS only after the merge, and a later include of
        # the same SLS gets the changed one.
        base.tree = self._merger.overwritten_base(given, update)
        return SlsData(merged)

    def merge_all(self, trees: tuple[Node, ...]) -> SlsData:
        """Merge trees, each over all those before it."""
        try:
            return SlsData(self._merger.merge_all(trees))
        except MergeError as error:
            raise not_a_mapping(error, trees) from error

    @property
    def overwrites(self) -> bool:
        """Whether a merge changes its base, so that each step has an effect."""
        return self._merger.overwrites

    def put_under(self, state: Node, key: tuple[str, ...]) -> Node:
        """Return data below the keys of an include; one object for all minions, to share merges."""
        if not key:
            return state
        made = partial(put_under, state, key)
        return self.view.remembered.derive_of_node(("under", state, key), made)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Render SLS files of which perhaps none is included: only their reads are noted."""
        log, self._log = self._log, CompileLog()
        stored, was_trying = dict(self._stored), self._is_trying
        self._is_trying = True
        try:
            yield
            if any(map(is_unanswered, self._log.diagnostics)):  # a candidate may render
                raise UnprovenUnknown
        finally:
            self._is_trying = was_trying
            tried, self._log = self._log, log
            tried.diagnostics.clear()
            tried.sealed = tried.incomplete = False
            log.join_sls(tried)
            self._stored.restore(stored)

    def note_include(self, sls: str, included: str) -> None:
        """Note that an SLS includes another."""
        self._log.includes.add((str(self.saltenv), sls, included))

    def note_under(self, sls: str, included: str, key: tuple[str, ...]) -> None:
        """Note under which keys an SLS includes another."""
        self._log.under.add((str(self.saltenv), sls, included, key))

    def note_match(self, pattern: str) -> None:
        """Note that the SLS names of the environment were matched with a pattern."""
        self._log.looks[RootsLookup("matching", (pattern,), self.saltenv)] = None

    def stored(self, sls: str) -> tuple[bool, SlsData | None]:
        """Return whether an SLS was rendered before in this environment, and the stored data."""
        self._recall.note_stored(sls)
        return sls in self._stored, self._stored.get(sls)
