"""Which compiles showed a secret to a template, a target or an external pillar.

Only these are repeated with placeholders. The recorded reads of a render tell what it was shown.
Minions share renders, so each render is judged once.
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.memo import RepeatCache
from pillarbook.compile.reads import MAPPING, Answer, Question
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue
from pillarbook.compile.top.tops import MergedTop, Target
from pillarbook.inventory.asked_grains import find_grain
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, MapNode, Node, node_at
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.patterns.key_paths import distinguish
from pillarbook.redact import Rules
from pillarbook.redact.named_leaves import named_leaves, named_members
from pillarbook.redact.placeholders import is_ciphertext
from pillarbook.redact.secret_grains import NOTHING
from pillarbook.taint.pillar_questions import pillar_path_of

SECRET_MODULES = frozenset(
    ("boto_kms", "gpg", "keyring", "nacl", "onepassword", "pass", "sdb", "vault")
)
"""Modules whose functions return secrets, independent of the form of the answer."""
MINE = frozenset(("mine.get", "saltutil.runner"))
"""Functions that read the mine."""
WORD_OF_GRAIN = re.compile(r"\b[GP](?P<delimiter>.)?@(?P<path>[^\s()]+)")
WORD_OF_NODEGROUP = re.compile(r"\bN.?@")
_MAPPINGS = (dict, Mapping)
"""The most frequent class is first, because checks of abstract classes are slow."""
WORD_OF_PILLAR = re.compile(r"\b[IJ].?@")
MAX_KEPT = 50_000
"""The most judged answers that are cached; then the cache is emptied."""


class TaintReaders:
    """Finds out whether a compile showed a secret to a reader."""

    def __init__(
        self,
        rules: Rules,
        functions: frozenset[str] = frozenset(),
        fleet: Sequence[Minion] = (),
        options: Mapping[Any, Any] = MappingProxyType({}),
    ) -> None:
        self.rules = rules
        """Decide what is secret."""
        self._functions = functions
        self._fleet = fleet
        self._options = options
        # A minion's own options are read as grains are: by the object, which minions share.
        self._is_option_secret = LimitedCache[int, tuple[Mapping[str, Any], bool]](MAX_KEPT)
        self._is_mine_secret: bool | None = None
        # By the render, whose questions include the grains that it read: minions that share it gave
        # the same answers.
        self._renders = RepeatCache[RenderResult, bool]()
        # By the node and the path that the rules judge. An external pillar makes a new tree for
        # each minion, but most of its parts are shared.
        self._parts = RepeatCache[tuple[Node, Hashable], bool]()
        # By path and answer, which identifies the value, so minions with one value share the
        # result.
        self._grains = LimitedCache[tuple[Hashable, Answer], bool](MAX_KEPT)
        # By merged top file: there are few, so they are kept to the end of the run.
        self._targets: dict[MergedTop, _AskedByTargets] = {}

    def is_exposed(self, compiled: CompiledPillar, minion: Minion) -> bool:
        """Say whether a compile of a minion showed a secret to a reader; False is certain."""
        readers = compiled.readers
        if (
            readers.decrypted
            or _holds_any(readers.named)
            or self._describe_secrets(readers.functions)
        ):
            return True
        if any(self._is_secret_read(result, minion) for result in compiled.renders):
            return True
        # The reads of external pillars are recorded for the memo, not in `renders`.
        may_read = readers.without_recording or readers.external
        if may_read and (self._holds_secret(minion.grains) or self._any_option(minion)):
            return True
        # In the pillar that external pillars read, or in what they read themselves.
        if readers.external and any(map(self.any_below, (*readers.external, *compiled.beside))):
            return True
        return self._by_pillar(compiled) or self._by_targets(compiled, minion)

    def any_below(self, tree: MapNode) -> bool:
        """Say whether a tree contains a secret."""
        parts = named_members(tree, (), self.rules)
        return any(self._is_part_secret(item, asked) for _, asked, item in parts)

    def _is_part_secret(self, node: Node, asked: KeyPath) -> bool:
        """Say whether a part of a tree contains a secret; minions share most parts."""
        known = node, distinguish(asked)
        found = self._parts.get(known)
        if found is None:
            found = self._parts[known] = any(True for _ in self.secrets_below(node, asked))
        return found

    def secrets_below(self, tree: Node, path: KeyPath = ()) -> Iterable[tuple[KeyPath, Leaf]]:
        """Yield the secret leaves of a tree with their paths."""
        for below, asked, node, _ in named_leaves(tree, self.rules, path):
            if isinstance(node, Leaf) and self.is_secret(asked, node):
                yield below, node

    def is_secret(self, path: KeyPath, leaf: Leaf) -> bool:
        """Say whether a leaf is secret."""
        return self.rules.find_reason(path, leaf.value, leaf.secret) is not None

    def secret_data(
        self, data: Any, path: KeyPath = (), asked: KeyPath | None = None
    ) -> Iterable[tuple[KeyPath, Any]]:
        """Yield the secret scalars of plain data with their paths."""
        asked = path if asked is None else asked
        if isinstance(data, _MAPPINGS):
            members = self.rules.members(asked, data)
            for key, (below, item) in zip(data, members, strict=True):
                yield from self.secret_data(item, (*path, key), below)
        elif isinstance(data, list | tuple):
            for index, (below, item) in enumerate(self.rules.members(asked, data)):
                yield from self.secret_data(item, (*path, index), below)
        elif self._is_secret_scalar(data, asked):
            yield path, data

    @property
    def is_mine_secret(self) -> bool:
        """Whether the mine contains a secret."""
        if self._is_mine_secret is None:
            self._is_mine_secret = any(self._any_data(one.mine, ()) for one in self._fleet)
        return self._is_mine_secret

    def _describe_secrets(self, functions: frozenset[str]) -> bool:
        """Say whether one of some functions returns a secret."""
        if functions & self._functions:
            return True
        return bool(functions & MINE) and self.is_mine_secret

    def _any_data(self, data: Any, path: KeyPath) -> bool:
        return any(True for _ in self.secret_data(data, path))

    def _is_secret_read(self, result: RenderResult, minion: Minion) -> bool:
        found = self._renders.get(result)
        if found is None:
            found = self._renders[result] = self._judge(result, minion)
        return found

    def _judge(self, result: RenderResult, minion: Minion) -> bool:
        if result.decrypted or _holds_any(result.named) or self._describe_secrets(result.functions):
            return True
        if any(True for _ in included_secrets(result, self)):
            return True
        return self._by_grains(result, minion) or self._by_options(result, minion)

    def _by_grains(self, result: RenderResult, minion: Minion) -> bool:
        if self.rules.grains.find(minion.grains) is NOTHING:
            return False
        return any(
            self._is_secret_grain(path, answer, minion.grains)
            for question, answer in result.questions.items()
            if (path := grain_of(question)) is not None
        )

    def _by_options(self, result: RenderResult, minion: Minion) -> bool:
        """Say whether a template may have read a secret in the options of a minion."""
        return self._any_option(minion) and any(
            self._is_secret_scalar(answer, path) if answer.__class__ is str else answer != MAPPING
            for question, answer in result.questions.items()
            if (path := _option_of(question)) is not None
        )

    def _any_option(self, minion: Minion) -> bool:
        """Say whether the options of a minion hold a secret."""
        return any(map(self._holds_option, (self._options, minion.opts)))

    def _holds_option(self, options: Mapping[str, Any]) -> bool:
        known = self._is_option_secret.get(id(options))
        if known is None:
            found = bool(options) and self._any_data(options, ())
            known = self._is_option_secret[id(options)] = (options, found)
        return known[1]

    def _is_secret_grain(self, path: KeyPath, answer: Answer, grains: Mapping[str, Any]) -> bool:
        """Say whether a grain that was read is secret or contains a secret."""
        if answer == MAPPING:  # reads of its members are separate questions
            return False
        if answer.__class__ is str:  # the answer is the value itself
            return self._is_secret_scalar(answer, path)
        return self._is_secret_data(path, answer, lambda: find_grain(grains, path))

    def _holds_secret(
        self, grains: Mapping[str, Any], asked: Collection[str] | None = None
    ) -> bool:
        """Say whether a grain, or one of those in ``asked``, is secret or contains a secret."""
        found = self.rules.grains.find(grains)
        if not found.may_hold_more:
            return any(asked is None or path[0] in asked for path, _ in found.secrets)
        members = {key: grains[key] for key in grains if asked is None or key in asked}
        return self._any_data(members, ())

    def _is_secret_data(self, path: KeyPath, answer: Answer, read: Callable[[], Any]) -> bool:
        """Say whether data at a path contains a secret; ``answer`` is its fingerprint."""
        spot = (distinguish(path), answer)
        return recall(self._grains, spot, lambda: self._any_data(read(), path))

    def _is_secret_scalar(self, value: Any, path: KeyPath) -> bool:
        return self.rules.find_reason(path, value) is not None or is_ciphertext(value)

    def _by_pillar(self, compiled: CompiledPillar) -> bool:
        """Say whether SLS files read a secret in the pillar."""
        shown = compiled.readers.shown
        if shown is None:
            return False
        if compiled.readers.without_recording:
            return self.any_below(shown)
        paths = {
            path
            for result in compiled.renders
            for path in map(pillar_path_of, result.questions)
            if path is not None
        }
        found = ((path, node_at(shown, path)) for path in paths)
        return any(
            True for path, node in found if node is not None for _ in self.secrets_below(node, path)
        )

    def _by_targets(self, compiled: CompiledPillar, minion: Minion) -> bool:
        """Say whether a target may have read a secret grain or a secret in the pillar."""
        top, shown = compiled.readers.top, compiled.readers.shown
        if top is None:
            return False
        if top not in self._targets:
            targets = [one for some in top.environments.values() for one in some]
            self._targets[top] = _AskedByTargets(
                tuple(dict.fromkeys(grain for one in targets for grain in _grains_of(one))),
                may_ask_any_grain=any(map(_asks_for_nodegroup, targets)),
                may_ask_pillar=any(map(_asks_for_pillar, targets)),
            )
        asked = self._targets[top]
        if self._holds_secret(minion.grains, None if asked.may_ask_any_grain else asked.grains):
            return True
        return asked.may_ask_pillar and shown is not None and self.any_below(shown)


@dataclass(frozen=True, slots=True)
class _AskedByTargets:
    """What the targets of a top file read."""

    grains: tuple[str, ...]
    """The first keys of grains."""
    may_ask_any_grain: bool
    """Whether one of them is a nodegroup, which may read anything."""
    may_ask_pillar: bool
    """Whether one of them may read the pillar."""


def included_secrets(
    result: RenderResult, taint_readers: TaintReaders
) -> Iterable[tuple[KeyPath, Leaf]]:
    """Yield the secrets in the defaults that a file gives to its includes, with their paths."""
    tree = result.tree
    if isinstance(tree, MapNode) and "include" in tree.items:
        yield from taint_readers.secrets_below(tree.items["include"], ("include",))


def _holds_any(named: Iterable[NamedValue]) -> bool:
    """Say whether a template can compute with one of the secrets that it contains."""
    return any(not one.is_text for one in named)


def _grains_of(target: Target) -> Iterator[str]:
    """Yield the first keys of the grains that a target reads, without its nodegroups."""
    text = str(target.expression)
    if str(target.matcher).startswith("grain"):
        yield text.partition(":")[0]
    for found in WORD_OF_GRAIN.finditer(text):
        yield found["path"].partition(found["delimiter"] or ":")[0]


def _asks_for_nodegroup(target: Target) -> bool:
    matcher, text = str(target.matcher), str(target.expression)
    return matcher == "nodegroup" or WORD_OF_NODEGROUP.search(text) is not None


def _asks_for_pillar(target: Target) -> bool:
    """Say whether a target may read the pillar; a nodegroup always may."""
    is_other = str(target.matcher).startswith("pillar") or _asks_for_nodegroup(target)
    return is_other or WORD_OF_PILLAR.search(str(target.expression)) is not None


def grain_of(question: Question) -> KeyPath | None:
    """Return the path of the grain whose value a question reads; None for other questions."""
    view, what, path = (*question, None, None)[:3]
    if what not in ("get", "whole") or not isinstance(path, tuple):
        return None
    if view in ("opts", "master_opts"):
        return path[1:] if path[:1] == ("grains",) else (() if not path else None)
    return path if view == "grains" else None


def _option_of(question: Question) -> KeyPath | None:
    """Return the path of the option whose value a question reads; None for other questions."""
    view, what, path = (*question, None, None)[:3]
    if view not in ("opts", "master_opts") or what not in ("get", "whole"):
        return None
    return path if isinstance(path, tuple) and path[:1] not in (("grains",), ("pillar",)) else None
