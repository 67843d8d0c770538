"""The objects that all minions of one run share: options, roots, renderers and caches."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from pillarbook.compile.ext_pillars import ExtPillars
from pillarbook.compile.limits import Limits
from pillarbook.compile.matchers import MatcherError
from pillarbook.compile.memo import Memo, RepeatCache
from pillarbook.compile.merge import Merger, MergeRules, resolve_strategy
from pillarbook.compile.placeholder_views import PlaceholderViews
from pillarbook.compile.reads import Answer, Question, fingerprint
from pillarbook.compile.renderers.code.modules import ModuleFiles
from pillarbook.compile.renderers.jinja.render import Environments
from pillarbook.compile.renderers.jinja.template_secrets import Loaded, SecretRules
from pillarbook.compile.renderers.render_context import Decryptor, Renderer
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.compile.replay_renders import Data, Made, RenderTemplates, RepeatedFile
from pillarbook.compile.replay_steps import KnownExpressions
from pillarbook.inventory.declared_clock import Clock
from pillarbook.inventory.declared_functions import DeclaredFunction
from pillarbook.inventory.master import with_overlay
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.reach import OutsideReachError
from pillarbook.model import Node
from pillarbook.model.limited_cache import recall
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.tree_interface import FileTree, FoundFile

Result = TypeVar("Result")


class Earlier(Protocol):
    """The renders of other runs over the same fleet; the key has no number of a scope."""

    def find(
        self, what: tuple[Any, ...], answer: Callable[[Question], Answer], scope: "Scope"
    ) -> Any:
        """Return a valid render, or None; ``answer`` answers questions for the minion."""

    def keep(self, what: tuple[Any, ...], result: Any, scope: "Scope") -> None:
        """Keep a render of this run for later runs."""


@dataclass(slots=True)
class Remembered:
    """The caches that one minion's compile leaves for the next, if the memo is on."""

    # All live as long as the project: a run over one version of the files. Keys begin with the
    # number of a scope, so minions with other options share nothing by accident.
    renders: Memo[Any] = field(default_factory=Memo)
    """Rendered files."""
    refused: Memo[Any] = field(default_factory=Memo)
    """Renders that fail because an answer is missing, and are repeated with unknown answers."""
    render_templates: dict[Hashable, RenderTemplates] = field(default_factory=dict)
    """Templates to repeat their renders with other values."""
    repeated: Made = field(default_factory=RepeatCache)
    """The results of these templates; most are useful for one minion only."""
    repeated_data: Data = field(default_factory=RepeatCache)
    """The data of repeated renders."""
    known: KnownExpressions = field(default_factory=KnownExpressions)
    """What expressions in these templates gave."""
    whole_sls: Memo[Any] = field(default_factory=Memo)
    """SLS files with all their includes."""
    ripe_sls: set[Hashable] = field(default_factory=set)
    """The keys of those of which each file was recalled once."""
    matches: Memo[bool | MatcherError] = field(default_factory=Memo)
    """The targets that matched, by merged top file."""
    reasons: Memo[Any] = field(default_factory=Memo)
    """The verdicts for words of compound targets."""
    externals: Memo[Any] = field(default_factory=Memo)
    """The results of external pillars."""
    parsed: ParsedDocuments = field(default_factory=ParsedDocuments)
    """Parsed YAML documents."""
    # Nodes are compared by identity, so a merge depends on them and its rules only; the key keeps
    # them alive, so no other object gets their ids.
    merged: dict[MergeRules, RepeatCache[tuple[Node, ...], Node]] = field(default_factory=dict)
    """Merged nodes by rules and merged nodes."""
    mergers: dict[MergeRules, Merger] = field(default_factory=dict)
    """The mergers, which use the cache ``merged``."""
    derived: dict[Hashable, Any] = field(default_factory=dict)
    """Small results that depend on their key alone: expanded globs, merged top files."""
    derived_of_nodes: RepeatCache[Hashable, Any] = field(default_factory=RepeatCache)
    """The same for keys with nodes, many of which belong to one minion."""
    environments: Environments = field(default_factory=Environments)
    """Jinja environments with their compiled templates."""
    loaded: Loaded = field(default_factory=dict)
    """The secrets in data that templates loaded."""

    def templates_of(self, key: Hashable, sls: str, saltenv: str, most: int) -> RenderTemplates:
        """Return the templates to repeat renders of a file."""
        known = self.render_templates.get(key)
        if known is None:

            def share(result: Any) -> None:
                self.renders.keep(key, result.questions, result)

            caches = self.repeated, self.repeated_data
            file = RepeatedFile(sls, saltenv, self.parsed, most, *caches, share)
            known = self.render_templates[key] = RenderTemplates(file)
        return known

    def forget(self) -> None:
        """Empty all caches, when no minion will be compiled; what is compiled later fills them."""
        fresh = Remembered()
        for one in fields(self):
            setattr(self, one.name, getattr(fresh, one.name))

    def derive(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return a result that depends on a key alone; made once, and never None."""
        made: Result = recall(self.derived, key, make)
        return made

    def derive_of_node(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return a result that depends on a key with a node; never None."""
        known = self.derived_of_nodes.get(key)
        if known is None:
            known = self.derived_of_nodes[key] = make()
        made: Result = known
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What all compiles of a run have in common."""

    options: MasterOptions
    """The master's options."""
    folder: Path
    """The master file's folder."""
    open_roots: Callable[[MasterOptions, str, str], Roots]
    """Returns the roots of ``pillar_roots`` or ``file_roots``, for the options, the option's name,
    and the environment that replaces ``__env__``."""
    renderers: Mapping[str, Renderer]
    """The renderers that may be used."""
    ext_pillars: ExtPillars
    """The external pillars that may be used."""
    decryptor: Decryptor
    """Decrypts ciphertext."""
    resolve: Callable[[str], Path]
    """Maps a path of the options with ``paths:``, and checks that it may be read."""
    shown: Callable[[Path], str]
    """Returns the name of a path as it is shown."""
    functions: Mapping[str, DeclaredFunction] = field(default_factory=dict)
    """Declared answers of functions."""
    clock: Clock | None = None
    """The time that templates get; None if none is declared."""
    modules: ModuleFiles = field(default_factory=ModuleFiles)
    """The execution modules of the tree."""
    fleet: Sequence[Minion] = ()
    """The declared minions, whose mine functions read."""
    mapped: Mapping[str, FileTree] = field(default_factory=dict)
    """The trees in ``paths:``, by the absolute path on the master."""
    limits: Limits = field(default_factory=Limits)
    """The limits of a render."""
    watch: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
    """Stops a render that takes too long."""
    opening: Callable[[dict[str, None]], AbstractContextManager[None]] = lambda _: nullcontext()
    """Notes the files that code of the tree opens, and gives it those of a revision."""
    reveals: bool = True
    """Whether errors may quote decrypted values."""
    explains: bool = False
    """Whether each word of compound targets gets a verdict."""
    memo: bool = True
    """Whether results are cached for other minions."""
    remembered: Remembered = field(default_factory=Remembered)
    """The caches."""
    earlier: Earlier | None = None
    """The renders of other runs over the same fleet."""
    # By the minion's own `opts` and, only if `pillar_roots` has `__env__`, its environment: options
    # and roots of a minion depend on nothing else. Kept to the end of the run.
    scopes: dict[Hashable, "Scope"] = field(default_factory=dict)
    """Options and roots by what they depend on."""
    # A command may give another result the next time, and a second compile would take this for
    # taint (docs/decisions/0015).
    printed: dict[Hashable, Any] = field(default_factory=dict)
    """The output of commands for a compile with placeholders, so that they run once."""
    placeholders: PlaceholderViews | None = None
    """The placeholders for a compile without secrets; None for a usual compile."""
    with_unknowns: bool = False
    """Whether a call without an answer gives an unknown value; else its SLS is lost."""
    rules: SecretRules | None = None
    """Decide which names in templates are those of secrets; None if everything is revealed."""

    def scope_of(self, overlay: Mapping[str, Any], environment: str | None) -> "Scope":
        """Return the options and roots of minions with this overlay and environment."""
        dynamic = "__env__" in (self.options.values.get("pillar_roots") or {}) or overlay
        # An environment without effect is left out of the key, so that minions with different ones
        # share renders.
        key = (fingerprint(overlay), environment if dynamic else None)
        if key not in self.scopes:
            options = with_overlay(self.options, overlay)
            name = environment or "base"
            self.scopes[key] = Scope(
                number=len(self.scopes),
                options=options,
                roots=self.open_roots(options, "pillar_roots", name),
                states=self.open_roots(options, "file_roots", name),
            )
        return self.scopes[key]

    def scope_below(self, scope: "Scope", roots: Roots) -> "Scope":
        """Return a scope with other roots, for an external pillar that is a tree of SLS files.

        The same trees must be the same object.
        """
        key = ("below", scope.number, roots)
        if key not in self.scopes:
            folders: dict[str, list[str]] = {name: [] for name in roots.environments}
            for name, tree in roots.trees():
                folders[name].append(tree.full)
            values = {**scope.options.values, "pillar_roots": folders, "__git_pillar": True}
            options = replace(scope.options, values=values)
            number = len(self.scopes)
            self.scopes[key] = replace(scope, number=number, options=options, roots=roots)
        return self.scopes[key]

    def scope_of_states(self, scope: "Scope") -> "Scope":
        """Return the scope of a minion's states, given that of its pillar."""
        key = ("states", scope.number)
        if key not in self.scopes:
            number = len(self.scopes)
            self.scopes[key] = replace(scope, number=number, roots=scope.states, kind="states")
        return self.scopes[key]

    def locate(self, path: str) -> str:
        """Return the path of an import; an absolute path of the master may be mapped."""
        if not path.startswith("/"):
            return path
        try:
            return str(self.resolve(path))
        except RenderError:
            return path  # the trees report this themselves

    def fresh(self) -> Remembered:
        """Return new caches, for a compile by itself."""
        return Remembered()


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Options and roots that some minions share."""

    number: int
    """The number of this scope in keys of caches."""
    options: MasterOptions
    """The options."""
    roots: Roots
    """The file trees that SLS files come from: the pillar's, or the states'."""
    states: Roots
    """The trees of states, which functions such as ``cp.get_file_str`` read."""
    kind: Literal["pillar", "states"] = "pillar"
    """The kind of the SLS files."""
    rules: MergeRules = field(init=False)
    """How pillar data is merged."""

    def __post_init__(self) -> None:
        """Read the merge rules from the options."""
        object.__setattr__(self, "rules", self._read_rules())

    def _read_rules(self) -> MergeRules:
        """Return how pillar data is merged.

        Source: Salt ``salt/utils/dictupdate.py`` (``merge``), ``salt/pillar/__init__.py``.
        """
        values = self.options.values
        strategy = values.get("pillar_source_merging_strategy") or "smart"
        renderer = values.get("renderer") or "yaml"
        merge_lists = bool(values.get("pillar_merge_lists"))
        resolved = resolve_strategy(str(strategy), str(renderer))
        return MergeRules(strategy=resolved, merge_lists=merge_lists)


def merger_for(rules: MergeRules, remembered: Remembered, *, memo: bool) -> Merger:
    """Return a merger that shares its results, or one that caches nothing."""
    if not memo:
        return Merger(rules, None)
    made = remembered.mergers.get(rules)
    if made is None:
        merged = remembered.merged.setdefault(rules, RepeatCache())
        made = remembered.mergers[rules] = Merger(rules, merged)
    return made


@dataclass(slots=True, unsafe_hash=True)
class FileRead:
    """A question to the roots: the file at a path."""

    saltenv: str
    """The environment."""
    path: str
    """The path, relative to its trees."""
    digest: str | None
    """The digest of the file; None if it does not exist."""
    tree: str | None = None
    """The folder of the search, if it was a single tree and not an environment."""

    @classmethod
    def of(
        cls, saltenv: str, path: str, found: FoundFile | None, tree: str | None = None
    ) -> "FileRead":
        """Return the question with its answer."""
        return cls(saltenv, path, found.digest if found else None, tree)


def path_resolver(master: MasterOptions) -> Callable[[str], Path]:
    """Return a function that maps a path of the configuration to this machine.

    The function raises a RenderError for a path that must not be read.
    """

    def resolve(text: str) -> Path:
        try:
            return master.resolve_path(text)
        except OutsideReachError as error:
            raise RenderError(str(error), rule="outside-reach") from error

    return resolve


def path_reader(master: MasterOptions) -> Callable[[Path, int], bytes]:
    """Return a function that returns the first bytes of a file, and tests where it leads.

    The function raises a RenderError for a path that must not be read.
    """

    def read(path: Path, most: int) -> bytes:
        try:
            return master.reach.read(path, most)
        except OutsideReachError as error:
            raise RenderError(str(error), rule="outside-reach") from error

    return read


def scope_of(minion: Minion, project: Project) -> Scope:
    """Return the options and roots of a minion."""
    return project.scope_of(minion.opts, _environment(minion, project))


def _environment(minion: Minion, project: Project) -> str | None:
    """Return the environment that replaces ``__env__``."""
    values = project.options.values
    pinned = minion.pillarenv
    if pinned is None:
        if minion.opts.get("pillarenv_from_saltenv", values.get("pillarenv_from_saltenv")):
            pinned = minion.saltenv
        else:
            pinned = minion.opts.get("pillarenv", values.get("pillarenv"))
    return pinned or minion.saltenv or values.get("saltenv") or "base"
