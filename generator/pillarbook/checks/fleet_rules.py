"""Check compiled pillars, one minion after another.

A large fleet is checked in a small part of its compile time: everything that minions share
(files, nodes, verdicts) is checked once, and minions with the same findings are grouped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbook.checks.changed_aliases import find_changed_aliases
from pillarbook.checks.early_reads import EarlyReads
from pillarbook.checks.finding import Between, Findings, PartFinding
from pillarbook.checks.forgeable_secrets import ForgeableSecretList, ForgeableSecrets
from pillarbook.checks.gpg_keys import KeyRules
from pillarbook.checks.include_keys import find_keys_above
from pillarbook.checks.layers import Layers
from pillarbook.checks.merge_losses import ValueRules
from pillarbook.checks.plain_secrets import PlainLiterals, PlainSecrets
from pillarbook.checks.state_targets import GivenStateTargets, StateTargets, make_target_rules
from pillarbook.checks.unmatched_targets import GivenTargets
from pillarbook.checks.unused_sls import UsedFiles
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import FileRead, Project, Scope, scope_of
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Position
from pillarbook.model.limited_cache import RecentCache, recall
from pillarbook.redact import Rules
from pillarbook.redact.shown_access import AccessPath
from pillarbook.roots.tree_interface import FoundFile

ERRORS = "_errors"
MAX_KEPT = 5_000
"""The number of renders after which those that did not come up again are dropped."""
TOP_FAILED = ("Rendering Primary Top file", "Rendering Top file", "Error encountered while")
"""The beginnings of Salt's errors about top files."""
Part = tuple[PartFinding, ...]
TOP_LEVEL: tuple[KeyPath, ...] = ((),)
"""The path of a file's data if no include puts it under keys."""


@dataclass(slots=True, eq=False)
class _Group:
    """Minions with the same findings."""

    findings: Part
    minions: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GivenRules:
    """The findings about the minions of one process; has clear values, for memory only."""

    groups: tuple[tuple[tuple[tuple[Diagnostic, Between | None], ...], tuple[str, ...]], ...]
    """Findings, with the minions that have them."""
    minions: tuple[str, ...]
    """All minions."""
    is_untold: bool
    """Whether the targets of some minions were not matched."""
    targets: GivenTargets
    """The results of targets for these minions."""
    states: GivenStateTargets
    """Those in the top files of states."""
    files: UsedFiles
    """The files that they used."""
    literals: Mapping[tuple[str, str], list[tuple[str, Position, str]]]
    """Literals in files."""
    judged: frozenset[str]
    """Values that were checked with their keys."""
    forgeable: Mapping[str, ForgeableSecretList]
    """Secrets that forgeable targets give."""


class FleetRules:
    """Takes each minion's pillar once, and reports the findings.

    ``rules`` decide what is secret, None for nothing; ``clock`` returns seconds since 1970.
    """

    def __init__(
        self,
        minions: Sequence[Minion],
        project: Project,
        rules: Rules | None,
        clock: Callable[[], float],
    ) -> None:
        self._minions = minions
        self._project = project
        self._places = {minion.id: at for at, minion in enumerate(minions)}
        self._findings = Findings()
        self._secrets = None if rules is None else PlainSecrets(rules, self._findings)
        read_keyring = project.decryptor.read_keyring
        is_sealed = project.decryptor.sealed
        self._keys = None if is_sealed else KeyRules(read_keyring, clock, self._findings)
        self._forgeable = ForgeableSecrets()
        self._literals = PlainLiterals()
        self._scanned: set[FileRead] = set()
        self._declaring = {minion.id for minion in minions if minion.secrets}
        self._values = ValueRules(self._findings)
        self._early = EarlyReads(self._findings, self._sources)
        self._targets, of_states = make_target_rules(minions, project, rules)
        self.states = StateTargets(of_states, len(minions))
        """Takes the states of each minion."""
        self._files = UsedFiles()
        # By objects that minions share: renders, trees, parts of them. They never change, so a
        # finding is valid for all minions that have the object (docs/decisions/0011).
        self._of_render = RecentCache[RenderResult, Part](MAX_KEPT)
        self._of_render_under = RecentCache[tuple[RenderResult, tuple[KeyPath, ...]], Part](
            MAX_KEPT
        )
        self._of_tree = RecentCache[MapNode, Part](MAX_KEPT)
        self._of_part = RecentCache[tuple[Any, Node], Part](MAX_KEPT)
        # Without a limit: it has one entry for each kind of minion, and the diagnostics at the end
        # are made from them.
        self._between: dict[tuple[Part, ...], frozenset[Between]] = {}
        self._groups: dict[tuple[tuple[Part, ...], frozenset[Between]], _Group] = {}
        self._group_of: dict[str, _Group | None] = {}
        self._given: list[_Group] = []
        self._unused: tuple[Diagnostic, ...] | None = None
        self._untold = False

    def take(self, compiled: CompiledPillar) -> None:
        """Add the pillar of a minion; a second call adds nothing."""
        if compiled.minion in self._group_of:
            return
        self._group_of[compiled.minion] = None
        self._targets.take(compiled.minion, compiled.pillarenv, compiled.targets)
        self._untold = self._untold or _is_untold(compiled)
        try:
            parts = tuple(filter(None, self._find(compiled)))
        # Salt compiles such a pillar, so the minion does not fail.
        except RecursionError:  # compiled, but too deep to be checked: no findings
            return
        if not parts:
            return
        meant = self._meant(parts, compiled)
        group = recall(self._groups, (parts, meant), lambda: _Group(_describe(parts, meant)))
        group.minions.append(compiled.minion)
        self._group_of[compiled.minion] = group

    def _meant(self, parts: tuple[Part, ...], compiled: CompiledPillar) -> frozenset[Between]:
        """Return the pairs of SLS in findings of which one is meant to override the other."""
        pairs = self._between.get(parts)
        if pairs is None:
            found = (finding.between for part in parts for finding in part)
            pairs = self._between[parts] = frozenset(one for one in found if one is not None)
        if not pairs or self._overwrites(compiled.minion):
            return pairs
        layers = Layers(compiled.includes, compiled.targets)
        return frozenset(filter(layers.replaces, pairs))

    def _overwrites(self, minion: str) -> bool:
        """Say whether an SLS overrides earlier ones because of a minion's options."""
        options = scope_of(self._minions[self._places[minion]], self._project).options.values
        return options.get("pillar_source_merging_strategy") == "overwrite"

    def take_secrets(
        self, minion: str, secrets: Iterable[tuple[KeyPath, tuple[AccessPath, ...]]]
    ) -> None:
        """Add the key paths of one minion's secrets, with their access paths; once."""
        self._forgeable.take(minion, secrets)

    def give(self) -> GivenRules:
        """Return the findings, for another process."""
        return GivenRules(
            groups=tuple(
                (
                    tuple((one.diagnostic, one.between) for one in group.findings),
                    tuple(group.minions),
                )
                for group in self._groups.values()
            ),
            minions=tuple(self._group_of),
            is_untold=self._untold,
            targets=self._targets.give(),
            states=self.states.give(),
            files=self._files,
            literals=self._literals.found,
            judged=frozenset(() if self._secrets is None else self._secrets.judged_texts),
            forgeable=self._forgeable.give(),
        )

    def merge(self, given: GivenRules) -> None:
        """Add the findings of another process."""
        for findings, minions in given.groups:
            part = tuple(self._findings.new(*one) for one in findings)
            self._given.append(_Group(part, list(minions)))
        self._group_of.update(dict.fromkeys(given.minions))
        self._untold = self._untold or given.is_untold
        self._targets.merge(given.targets)
        self.states.merge(given.states)
        self._files.merge(given.files)
        self._literals.found |= given.literals
        if self._secrets is not None:
            self._secrets.judged_texts |= given.judged
        self._forgeable.merge(given.forgeable)

    def of(self, minion: str) -> Iterator[Diagnostic]:
        """Yield the diagnostics of one minion that was added."""
        group = self._group_of.get(minion)
        for finding in group.findings if group else ():
            yield replace(finding.diagnostic, minions=(minion,))
        yield from self._forgeable.of(minion)

    def of_minions(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics of all added minions; equal ones as one."""
        folded: dict[PartFinding, list[str]] = {}
        for group in (*self._groups.values(), *self._given):
            for finding in group.findings:
                folded.setdefault(finding, []).extend(group.minions)
        for finding, minions in folded.items():
            minions.sort(key=self._places.__getitem__)
            yield replace(finding.diagnostic, minions=tuple(minions))
        yield from self._forgeable.of_minions(self._places)

    def of_tree(self, ignores: Callable[[str, str], bool]) -> Iterator[Diagnostic]:
        """Yield the diagnostics of the tree, after every minion was added.

        If a top file failed, or a compile stopped before targets were matched, it is not known
        which minions they match, and which files are used.

        ``ignores`` says whether the configuration ignores a rule for a minion id.
        """
        if len(self._group_of) < len(self._minions):
            return
        if self._secrets is not None:
            yield from self._literals.find(self._secrets.judged_texts)
        for minion, diagnostic in self._targets.find_unknown():
            if not ignores(diagnostic.code, minion):
                yield diagnostic
        yield from self.states.find(ignores)
        if not self._untold:
            yield from self._targets.find_unmatched()
            if self._unused is None:
                targets = self._targets
                found = self._files.find_unused(
                    self._scopes(),
                    targets.wanted,
                    targets.missed,
                    is_guessed=any(minion.is_guessed for minion in self._minions),
                )
                self._unused = tuple(found)
            yield from self._unused

    def _scopes(self) -> Iterable[Scope]:
        found = (scope_of(minion, self._project) for minion in self._minions)
        return {scope.number: scope for scope in found}.values()

    def _find(self, compiled: CompiledPillar) -> list[Part]:
        """Return the findings in each part of a pillar; empty if there are none."""
        tree = compiled.tree
        renders, find = self._of_render.get, self._values.find
        if compiled.under:
            above = find_keys_above(compiled)
            found = [self._read_under(result, above) for result in compiled.renders]
        else:
            found = [
                self._read(result) if (part := renders(result)) is None else part
                for result in compiled.renders
            ]
        found += [
            find(key, node)
            for key, node in tree.items.items()
            if not (key == ERRORS and compiled.errors)
        ]
        found += [self._read_beside(beside) for beside in compiled.beside]
        if compiled.minion in self._declaring:
            found += [self._read_declared(key, node) for key, node in tree.items.items()]
        found += self._early.find(compiled)
        if tree.shared:
            found.append(self._find_aliases(tree))
        return found

    def _read_under(
        self, result: RenderResult, above: Mapping[tuple[str, str], tuple[KeyPath, ...]]
    ) -> Part:
        """Return the findings in a render, whose data may be put under keys."""
        paths = above.get(_spot_of(result), TOP_LEVEL) if _is_sls(result) else TOP_LEVEL
        if paths == TOP_LEVEL:
            known = self._of_render.get(result)
            return self._read(result) if known is None else known
        return recall(self._of_render_under, (result, paths), lambda: self._judge(result, paths))

    def _read(self, result: RenderResult) -> Part:
        found = self._of_render[result] = self._judge(result, TOP_LEVEL)
        return found

    def _judge(self, result: RenderResult, paths: tuple[KeyPath, ...]) -> Part:
        self._files.take(result)
        found = () if self._keys is None else tuple(self._keys.find_in_render(result))
        if self._secrets is not None and _is_sls(result):
            for path in paths:
                found += tuple(self._secrets.find_in_render(result, self._texts, path))
            new = [file for file in result.files if file not in self._scanned]
            self._scanned.update(new)
            for source in self._sources(new):
                if not self._secrets.is_encrypted(source.shown):
                    self._literals.take(source)
        return found

    def _texts(self, result: RenderResult) -> Iterator[str]:
        for found in self._sources(result.files):
            yield found.text

    def _sources(self, files: Iterable[FileRead]) -> Iterator[FoundFile]:
        """Yield the files of some reads."""
        for scope in self._project.scopes.values():
            for file in files:
                found = scope.roots.find(file.path, file.saltenv) if file.digest else None
                # Scopes may have another file with this name; the digest decides which one was
                # rendered.
                if found is not None and found.digest == file.digest:
                    yield found

    def _read_beside(self, tree: MapNode) -> Part:
        found = () if self._keys is None else tuple(self._keys.find_beside(tree))
        if self._secrets is not None:
            found += tuple(self._secrets.find_beside(tree, self._text_of))
        return found

    def _read_declared(self, key: Any, node: Node) -> Part:
        """Return the findings in a part of a pillar about values that the inventory names."""
        known: Part | None = self._of_part.get((key, node))
        if known is None:
            secrets = self._secrets
            found = () if secrets is None else secrets.find_declared(node, (key,), self._text_of)
            known = self._of_part[key, node] = tuple(found)
        return known

    def _text_of(self, leaf: Leaf) -> Iterator[str]:
        """Yield the text of a value's file; the value itself if the file is out of reach."""
        try:
            path = self._project.resolve(str(self._project.options.top / leaf.origins[-1].file))
            yield path.read_bytes().decode("utf-8", "replace")
        except (OSError, RenderError):
            yield str(leaf.value)

    def _find_aliases(self, tree: MapNode) -> Part:
        known: Part | None = self._of_tree.get(tree)
        if known is None:
            found = map(self._findings.new, find_changed_aliases(tree))
            known = self._of_tree[tree] = tuple(found)
        return known


def _is_sls(result: RenderResult) -> bool:
    """Say whether a render is that of an SLS, whose values have an SLS; not of a top file."""
    return result.tree is not None and bool(result.tree.origins and result.tree.origins[-1].sls)


def _spot_of(result: RenderResult) -> tuple[str, str]:
    """Return the environment and the SLS of a render."""
    assert result.tree is not None  # noqa: S101 (so has an SLS)
    origin = result.tree.origins[-1]
    return str(origin.saltenv), origin.sls or ""


def _is_untold(compiled: CompiledPillar) -> bool:
    """Say whether targets were not matched, or not all of them."""
    if compiled.raises is not None:
        return not compiled.targets
    return any(error.startswith(TOP_FAILED) for error in compiled.errors)


def _describe(parts: tuple[Part, ...], meant: frozenset[Between]) -> Part:
    """Return the findings in parts of a pillar, each once."""
    found = [finding for part in parts for finding in part]
    # Each alias of a changed object loses the same value: that is one finding.
    changed = {one.diagnostic.position for one in found if one.diagnostic.code == "changed-alias"}
    kept = (
        finding
        for finding in found
        if finding.between is None
        or (finding.between not in meant and not changed.intersection(finding.diagnostic.related))
    )
    return tuple(dict.fromkeys(kept))
