"""The redactor: clear pillar becomes redacted pillar here, and nowhere else.

Over-redaction is reversible, a leaked secret is not. The result contains no clear secret: not as a
value, not as an overridden value, not inside another value or an error text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.matchers import Verdict
from pillarbook.diagnostics import Diagnostic
from pillarbook.diagnostics.rules import FIXED
from pillarbook.model import KeyPath, MapNode, Node, plain, share_overridden
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.model.scalar_texts import text_of
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.declared_secrets import DeclaredSecrets
from pillarbook.redact.error_texts import ScrubbedRemarks, scrub_text
from pillarbook.redact.json_writer import JsonWriter, write_mapping
from pillarbook.redact.node_redactor import NodeRedactor, RedactedPart
from pillarbook.redact.open_parts import OpenParts
from pillarbook.redact.path_steps import PathStep, members_of
from pillarbook.redact.redacted_grains import RedactedGrains
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_copies import SecretCopies
from pillarbook.redact.secret_names import OF_NAMES
from pillarbook.redact.secret_sources import TEXT, in_place
from pillarbook.redact.secret_store import TEMPLATE, SecretStore
from pillarbook.redact.shared_secrets import NewSecrets, SharedSecrets, take_over
from pillarbook.redact.target_secrets import RedactedTargets, secrets_in_target

ERRORS = "_errors"
MAX_NAMED = 10_000
"""The most secrets in templates of which it is known whether they are looked for."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Redactor:
    """Redacts the pillars of minions; parts that minions share are redacted once."""

    def __init__(self, rules: Rules | None, store: SecretStore) -> None:
        self.rules = rules
        """What is secret; None if everything is revealed."""
        self.store = store
        """The clear values of secrets."""
        self._node_redactor = NodeRedactor(rules, store)
        self.names = self._node_redactor.names
        """Replaces the secrets in names."""
        self._json = JsonWriter(rules, self._node_redactor, store.token)
        self._grains = RedactedGrains(rules, store, self._node_redactor)
        self.redact_grains = self._grains.redact
        """Returns a minion's redacted grains; they are shared, so never change them."""
        self.copies = SecretCopies()
        """The copies of secrets that were noted."""
        self._targets = RedactedTargets(self.names)
        self._remarks = ScrubbedRemarks()
        # By the text of a target, or of a word in it. Not limited: a tree has few.
        self._of_targets: dict[str, dict[int, KeyPath]] = {}
        # By text and path, which decide it: minions share templates with their secrets.
        self._sought = LimitedCache[tuple[str, KeyPath], bool](MAX_NAMED)
        self.open_parts = OpenParts(rules, self._node_redactor.are_harmless)
        """The parts of compiled pillars in which the rules call nothing secret."""
        self._is_stale = False

    def collect_secrets(
        self,
        compiled: CompiledPillar,
        grains: Mapping[Any, Any] = NOTHING,
        *,
        for_show: bool = True,
    ) -> None:
        """Add a minion's secrets to the store.

        If the pillar is redacted later, ``for_show``, the parts are kept for this.
        """
        if self.rules is None:
            return
        self._node_redactor.trim()
        if for_show:
            self._redact(compiled)
        else:
            self._index(compiled)
            overridden = share_overridden(compiled.tree, compiled.tree.overrode)
            for node, step in self._closed_members(compiled):
                self._node_redactor.collect_secrets(node, step, overridden(step.keys[-1]))
        self._names_of(compiled)
        self._grains.secrets_of(grains)

    def index(self, compiled: Iterable[CompiledPillar]) -> None:
        """Note which lines of files are secret, before the secrets of any minion are collected.

        A line that is secret on one minion is secret on all, so the order does not matter.
        """
        for one in compiled:
            self._index(one)
        self._forget_if_stale()

    def _index(self, compiled: CompiledPillar) -> None:
        # What was redacted before may show such a line of another minion. It is made again when the
        # secrets are frozen, not for each minion: each may have a password of its own.
        if self._node_redactor.lines.index(render.tree for render in compiled.renders):
            self._is_stale = True

    def _forget_if_stale(self) -> None:
        if self._is_stale:
            self._node_redactor.forget()
            self._is_stale = False

    def new_secrets(self) -> NewSecrets:
        """Return a recorder of the secrets that are found from now on."""
        return NewSecrets(self.store, self._node_redactor)

    def take_over(self, learned: SharedSecrets) -> None:
        """Add the secrets that another process has found; ``freeze_secrets`` puts them to use."""
        take_over(learned, self.store, self._node_redactor)
        if learned.spots:
            self._node_redactor.forget()

    def find_secrets(self, compiled: CompiledPillar) -> Iterator[RedactedLeaf]:
        """Yield the values of a minion that are secret by the rules, without copies of secrets."""
        for part in self._redact(compiled).values():
            yield from self._node_redactor.secret_leaves(part)

    def secrets_of(
        self, compiled: CompiledPillar, grains: Mapping[Any, Any] = NOTHING
    ) -> dict[int, KeyPath]:
        """Return a minion's own secrets by secret id, each with its first path."""
        self._index(compiled)
        found: dict[int, KeyPath] = {}
        overridden = share_overridden(compiled.tree, compiled.tree.overrode)
        for node, step in self._closed_members(compiled):
            below = self._node_redactor.secrets_below(node, step, overridden(step.keys[-1]))
            for secret_id, path in below:
                found.setdefault(secret_id, path)
        return {**self._names_of(compiled), **self._grains.secrets_of(grains), **found}

    def freeze_secrets(self) -> bool:
        """Look for every secret of the store in every pillar and name from now on.

        Before this call, only a minion's own secrets are looked for in its pillar. Return whether a
        known name is shown differently now.
        """
        changed = self.rules is not None and self._node_redactor.freeze_secrets()
        self._forget_if_stale()
        self._grains.forget_shown()
        self._json.forget()
        self._remarks.forget()
        if changed:
            self._targets.forget()
        return changed

    def forget(self) -> None:
        """Empty the caches of pillars, after the last one is shown."""
        self._node_redactor.forget()
        self._json.forget()

    def declare(self, grains: Mapping[Any, Any], declared: DeclaredSecrets) -> None:
        """Note the secrets that the inventory declares for some grains; keep ``grains`` alive."""
        self._grains.declare(grains, declared)

    def redact_diagnostic(
        self, diagnostic: Diagnostic, own: Mapping[int, KeyPath] = NOTHING
    ) -> Diagnostic:
        """Return a diagnostic without secrets; ``own`` are those of the minion that it is about."""
        if self.rules is None:
            return diagnostic
        help_text, path, clean = diagnostic.help, diagnostic.path, self.names.clean_position
        missing = diagnostic.missing
        return replace(
            diagnostic,
            message=self._scrub(diagnostic.message, own),
            help=None if help_text is None else self._scrub(help_text, own),
            position=clean(diagnostic.position),
            related=tuple(one for one in map(clean, diagnostic.related) if one is not None),
            path=None if path is None else tuple(map(self.names.clean_key, path)),
            minions=tuple(map(self.names.clean, diagnostic.minions)),
            missing=None if missing is None else (missing[0], self._scrub(missing[1], own)),
        )

    def redact(
        self,
        compiled: CompiledPillar,
        grains: Mapping[Any, Any] = NOTHING,
        besides: Mapping[int, KeyPath] = NOTHING,
        *,
        notes: bool = False,
    ) -> RedactedPillar:
        """Return the redacted pillar of one minion.

        ``besides`` are other secrets to look for, such as those of the pillar before a change. With
        ``notes``, copies of secrets are noted in ``copies``.
        """
        self._node_redactor.trim()
        tree = compiled.tree
        parts = self._redact(compiled)
        known = {**self._names_of(compiled), **self._grains.secrets_of(grains)}
        own = {**known, **_first_paths(parts.values()), **besides}
        if own or self._node_redactor.copies.everything is not None:
            before, parts = parts, self._redact_copies(tree, parts, own)
            if notes:
                for key, part in parts.items():
                    if part is not before[key]:
                        self.copies.note(compiled.minion, part)
        clean = self.names.clean
        data = {self._shown(key): part.data for key, part in parts.items()}
        if compiled.errors and ERRORS in tree.items:
            entries = self._scrub_data(plain(tree.items[ERRORS]), own)
            keys = (self._shown(key) for key in tree.items)
            data = {key: data.get(key, entries) for key in keys}
        return RedactedPillar(
            minion=clean(compiled.minion),
            outcome=compiled.outcome,
            leaves=tuple(leaf for part in parts.values() for leaf in part.leaves),
            data=data,
            errors=tuple(self._scrub(text, own) for text in compiled.errors),
            raises=None if compiled.raises is None else self._scrub(compiled.raises, own),
            targets=tuple(map(self._targets.redact, compiled.targets)),
            pillarenv=None if compiled.pillarenv is None else clean(compiled.pillarenv),
            saltenv=None if compiled.saltenv is None else clean(compiled.saltenv),
            revealed=self.rules is None,
        )

    def write_json(self, compiled: CompiledPillar, grains: Mapping[Any, Any] = NOTHING) -> str:
        """Return one minion's pillar as ``compile`` prints it; call ``freeze_secrets`` before."""
        self._node_redactor.trim()
        self._meet_names(compiled)
        known: list[Mapping[int, KeyPath]] = []

        def own() -> Mapping[int, KeyPath]:
            if not known:
                known.append(self.secrets_of(compiled, grains))
            return known[0]

        if compiled.raises is not None:
            reason = self._json.encode(self._scrub(compiled.raises, own()))
            return f'{{"$raises": {reason}}}'
        besides = {}
        if compiled.errors and ERRORS in compiled.tree.items:
            entries = self._scrub_data(plain(compiled.tree.items[ERRORS]), own())
            besides = {ERRORS: self._json.encode(entries)}
        closed = self.open_parts.closed_keys(compiled.tree)
        return write_mapping(self._json.write_members(compiled.tree, closed, own, besides))

    def _meet_names(self, compiled: CompiledPillar) -> None:
        """Pass the names of a pillar that are not in its data to ``names``."""
        self.names.clean(compiled.minion)
        for name in (compiled.pillarenv, compiled.saltenv):
            if name is not None:
                self.names.clean(name)
        for verdict in compiled.targets:
            self._targets.redact(verdict)

    def _shown(self, key: Any) -> Any:
        return self._node_redactor.top.below(key).shown[-1]

    def _names_of(self, compiled: CompiledPillar) -> dict[int, KeyPath]:
        """Return the secrets in a minion's names and templates, by secret id."""
        if self.rules is None:
            return {}
        names = {
            self.store.add(text, path, source=in_place(OF_NAMES, path, text)): path
            for text, path in compiled.secret_names
        }
        for one in dict.fromkeys(compiled.named):  # each template has those that it imports
            text, path = text_of(one.value), (TEMPLATE, *one.path)
            if text is not None and self._is_sought(text, path):
                bare = text.strip()
                source = in_place(TEMPLATE, path, bare) if one.is_computed else TEXT
                names[self.store.add(bare, path, source=source)] = path
        # A minion has many targets, and few of them contain secrets.
        known = self._of_targets
        for verdict in [one for one in compiled.targets if known.get(one.target, True)]:
            names |= self._secrets_of_target(verdict.target, verdict.parts)
        return names

    def _is_sought(self, text: str, path: KeyPath) -> bool:
        """Say whether a secret in a template is looked for everywhere; each is judged once."""
        return recall(self._sought, (text, path), partial(is_distinctive, text, path))

    def _secrets_of_target(self, text: str, parts: Iterable[Verdict]) -> dict[int, KeyPath]:
        """Return the secrets in a target and in its words, by secret id."""
        found = self._of_targets.get(text)
        if found is None:
            assert self.rules is not None  # noqa: S101 (asked only where there are rules)
            found = {
                self.store.add(secret, path, source=in_place(OF_NAMES, path, secret)): path
                for secret, path in secrets_in_target(text, self.rules)
            }
            for part in parts:
                found |= self._secrets_of_target(part.text, part.parts)
            self._of_targets[text] = found
            if found:
                self.names.hold(text, found)
        return found

    def _redact(self, compiled: CompiledPillar) -> dict[Any, RedactedPart]:
        """Return the part of each top-level key, without Salt's errors."""
        self._index(compiled)
        overridden = share_overridden(compiled.tree, compiled.tree.overrode)
        return {
            key: self._node_redactor.redact_node(node, step, overridden(key))
            for key, node, step in self._members(compiled)
        }

    def _closed_members(self, compiled: CompiledPillar) -> Iterator[tuple[Node, PathStep]]:
        """Yield the top-level values that may hold a secret, without Salt's errors."""
        closed = self.open_parts.closed_keys(compiled.tree)
        for key, node, step in self._members(compiled):
            if closed is None or key in closed:
                yield node, step

    def _members(self, compiled: CompiledPillar) -> Iterator[tuple[Any, Node, PathStep]]:
        """Yield the top-level keys with their values, without Salt's errors."""
        for step, node in members_of(compiled.tree, self._node_redactor.top, self.rules):
            key = step.keys[-1]
            if not (key == ERRORS and compiled.errors):
                yield key, node, step

    def _redact_copies(
        self, tree: MapNode, parts: dict[Any, RedactedPart], own: Mapping[int, KeyPath]
    ) -> dict[Any, RedactedPart]:
        """Return the parts with the copies of secrets redacted, in any form."""
        made = {}
        overridden = share_overridden(tree, tree.overrode)
        for step, node in members_of(tree, self._node_redactor.top, self.rules):
            key = step.keys[-1]
            part = parts.get(key)
            if part is None:
                continue
            known = self._node_redactor.find_copies(part, own)
            made[key] = (
                self._node_redactor.redact_node(node, step, overridden(key), known)
                if known
                else part
            )
        return made

    def _scrub(self, text: str, own: Mapping[int, KeyPath]) -> str:
        if self.rules is None:
            return text
        search = self._node_redactor.copies.search_for(own)
        if not own:
            return self._remarks.scrub(text, self.rules, search)
        clear = (text_of(self.store.value_of(secret_id)) for secret_id in own)
        texts = [one for one in clear if one is not None]
        return scrub_text(text, texts, self.rules, search)

    def _scrub_data(self, data: Any, own: Mapping[int, KeyPath]) -> Any:
        if isinstance(data, dict):
            return {key: self._scrub_data(item, own) for key, item in data.items()}
        if isinstance(data, list):
            return [self._scrub_data(item, own) for item in data]
        return self._scrub(data, own) if isinstance(data, str) else data


def _first_paths(parts: Iterable[RedactedPart]) -> dict[int, KeyPath]:
    """Return the ids of the secrets in some parts, each with its first path."""
    found: dict[int, KeyPath] = {}
    for part in parts:
        for secret_id, path in part.secrets:
            found.setdefault(secret_id, path)
    return found


def redact_diagnostics(
    redactor: Redactor, diagnostics: Sequence[Diagnostic], compiled: CompiledPillar
) -> Iterator[Diagnostic]:
    """Yield diagnostics of a pillar without secrets, its own among them."""
    is_needed = redactor.rules is not None and any(one.code not in FIXED for one in diagnostics)
    # Once for all of them: a minion may have thousands.
    own = redactor.secrets_of(compiled) if is_needed else NOTHING
    for one in diagnostics:
        yield redactor.redact_diagnostic(one, NOTHING if one.code in FIXED else own)
