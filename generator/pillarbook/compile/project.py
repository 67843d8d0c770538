"""What all minions of one run share: options, roots, renderers and everything remembered."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from pillarbook.compile.ext_pillars import ExtPillars
from pillarbook.compile.limits import Limits
from pillarbook.compile.matchers import MatcherError
from pillarbook.compile.memo import Memo, Sifted
from pillarbook.compile.merge import Merger, MergeRules, resolve_strategy
from pillarbook.compile.placeholder_views import PlaceholderViews
from pillarbook.compile.reads import fingerprint
from pillarbook.compile.renderers.code.modules import ModuleFiles
from pillarbook.compile.renderers.jinja.render import Environments
from pillarbook.compile.renderers.jinja.template_secrets import Loaded, SecretRules
from pillarbook.compile.renderers.render_context import Decryptor, Renderer
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.compile.replay_renders import Made, RenderTemplates
from pillarbook.inventory.declared_clock import Clock
from pillarbook.inventory.declared_functions import DeclaredFunction
from pillarbook.inventory.master import with_overlay
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.reach import OutsideReachError
from pillarbook.model import Node
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.tree_interface import FileTree, FoundFile

Result = TypeVar("Result")
Earlier: TypeAlias = Callable[[Hashable, Callable[[Any], Any], "Scope"], Any]
"""Gives a render, None for none; handed the key without the scope's number, what answers a
question for the minion, and its scope."""


@dataclass(slots=True)
class Remembered:
    """What one minion's compile leaves for the next; empty again for each without the memo."""

    # All of it lives as long as the project: a run over one state of the files. Keys begin with the
    # number of a scope, so minions with other options share nothing by accident.
    renders: Memo[Any] = field(default_factory=Memo)
    """Rendered files."""
    recipes: dict[Hashable, RenderTemplates] = field(default_factory=dict)
    """How to repeat their renders with other values."""
    repeated: Made = field(default_factory=Sifted)
    """What they came to; most is of use to one minion only."""
    matches: Memo[bool | MatcherError] = field(default_factory=Memo)
    """Which targets matched, by merged top file."""
    reasons: Memo[Any] = field(default_factory=Memo)
    """What the words of compound targets said."""
    externals: Memo[Any] = field(default_factory=Memo)
    """What external pillars gave."""
    parsed: ParsedDocuments = field(default_factory=ParsedDocuments)
    """YAML documents."""
    # Nodes are equal by identity only, so they are all that a merge depends on besides
    # its rules; the key keeps them alive, so no id is used twice.
    merged: dict[MergeRules, Sifted[tuple[Node, ...], Node]] = field(default_factory=dict)
    """Merged nodes by the nodes they were merged of."""
    mergers: dict[MergeRules, Merger] = field(default_factory=dict)
    """What merges, and remembers it in ``merged``."""
    derived: dict[Hashable, Any] = field(default_factory=dict)
    """Small things that follow from what the key holds: expanded globs, merged tops."""
    derived_of_nodes: Sifted[Hashable, Any] = field(default_factory=Sifted)
    """Likewise, where the key holds nodes, of which many are those of one minion."""
    environments: Environments = field(default_factory=Environments)
    """Jinja environments with their compiled templates."""
    loaded: Loaded = field(default_factory=dict)
    """The secrets in data that templates loaded."""

    def derive(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return what follows from a key alone; made once, and never None."""
        known = self.derived.get(key)
        if known is None:
            known = self.derived[key] = make()
        made: Result = known
        return made

    def derive_of_node(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return what follows from a key that holds a node; never None."""
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
    """Gives the roots of ``pillar_roots`` or ``file_roots``, from the options, the option's name,
    and the environment that ``__env__`` stands for."""
    renderers: Mapping[str, Renderer]
    """The renderers that may be used."""
    ext_pillars: ExtPillars
    """The external pillars that may be used."""
    decryptor: Decryptor
    """What opens ciphertext."""
    resolve: Callable[[str], Path]
    """Maps a path of the options through ``paths:`` and checks that it may be read."""
    shown: Callable[[Path], str]
    """How a path is shown."""
    functions: Mapping[str, DeclaredFunction] = field(default_factory=dict)
    """Declared answers of functions."""
    clock: Clock | None = None
    """The time that templates are given for the current one; None where none is declared."""
    modules: ModuleFiles = field(default_factory=ModuleFiles)
    """The execution modules of the tree."""
    fleet: Sequence[Minion] = ()
    """The declared minions, whose mine functions read."""
    mapped: Mapping[str, FileTree] = field(default_factory=dict)
    """What ``paths:`` names, by the absolute path of the master."""
    limits: Limits = field(default_factory=Limits)
    """What one render may take."""
    watch: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
    """Stops a render that takes too long."""
    reveals: bool = True
    """Whether errors may quote what was decrypted."""
    explains: bool = False
    """Whether targets made of words are asked word by word."""
    memo: bool = True
    """Whether results are kept from one minion to the next."""
    remembered: Remembered = field(default_factory=Remembered)
    """What is kept."""
    earlier: Earlier | None = None
    """Gives a render of another run over the same fleet that holds here as well."""
    # By the minion's own `opts` and, only if `pillar_roots` has `__env__`, its environment: nothing
    # else of a minion changes options or roots. Kept for the run.
    scopes: dict[Hashable, "Scope"] = field(default_factory=dict)
    """Options and roots by what tells them apart."""
    # A command is no function of its arguments. To run it again with placeholders would let its own
    # changes look like taint (docs/decisions/0015).
    printed: dict[Hashable, Any] = field(default_factory=dict)
    """What commands gave, for the compile that is repeated with placeholders: they run once."""
    placeholders: PlaceholderViews | None = None
    """What readers are shown instead of secrets; None shows them the secrets themselves."""
    rules: SecretRules | None = None
    """Say which names in templates are those of secrets; None if everything is revealed."""

    def scope_of(self, overlay: Mapping[str, Any], environment: str | None) -> "Scope":
        """Return the options and roots of minions with this overlay and environment."""
        dynamic = "__env__" in (self.options.values.get("pillar_roots") or {}) or overlay
        # An environment that cannot matter stays out of the key, or minions pinned to different
        # ones would share no renders.
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

        The same trees have to come as one object.
        """
        key = ("below", scope.number, roots)
        if key not in self.scopes:
            folders: dict[str, list[str]] = {name: [] for name in roots.environments}
            for name, tree in roots.trees():
                folders[name].append(tree.full)
            values = {**scope.options.values, "pillar_roots": folders, "__git_pillar": True}
            self.scopes[key] = Scope(
                number=len(self.scopes),
                options=replace(scope.options, values=values),
                roots=roots,
                states=scope.states,
            )
        return self.scopes[key]

    def scope_of_states(self, scope: "Scope") -> "Scope":
        """Return the scope of a minion's states, by that of its pillar."""
        key = ("states", scope.number)
        if key not in self.scopes:
            self.scopes[key] = Scope(
                number=len(self.scopes),
                options=scope.options,
                roots=scope.states,
                states=scope.states,
                kind="states",
            )
        return self.scopes[key]

    def fresh(self) -> Remembered:
        """Return nothing remembered, for a compile on its own."""
        return Remembered()


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Options and roots that some minions have in common."""

    number: int
    """Tells this scope's results from another's."""
    options: MasterOptions
    """The options."""
    roots: Roots
    """The file trees that SLS files come from: the pillar's, or the states'."""
    states: Roots
    """The states' file trees, which functions such as ``cp.get_file_str`` read."""
    kind: Literal["pillar", "states"] = "pillar"
    """What the SLS files are."""
    rules: MergeRules = field(init=False)
    """How pillar data is merged."""

    def __post_init__(self) -> None:
        """Read the rules of merging off the options."""
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
    """Return a merger that shares what it merged, or one that keeps nothing."""
    if not memo:
        return Merger(rules, None)
    made = remembered.mergers.get(rules)
    if made is None:
        merged = remembered.merged.setdefault(rules, Sifted())
        made = remembered.mergers[rules] = Merger(rules, merged)
    return made


@dataclass(slots=True, unsafe_hash=True)
class FileRead:
    """A question to the roots: which file a path leads to."""

    saltenv: str
    """The environment looked through."""
    path: str
    """The path, relative to its trees."""
    digest: str | None
    """What was found, None for nothing."""
    tree: str | None = None
    """The folder that was looked in, where that was a single tree and not an environment's."""

    @classmethod
    def of(
        cls, saltenv: str, path: str, found: FoundFile | None, tree: str | None = None
    ) -> "FileRead":
        """Return the question with its answer."""
        return cls(saltenv, path, found.digest if found else None, tree)


def path_resolver(master: MasterOptions) -> Callable[[str], Path]:
    """Return what maps a path of the configuration to where it is here.

    What it returns raises a RenderError for a path out of reach.
    """

    def resolve(text: str) -> Path:
        try:
            return master.resolve_path(text)
        except OutsideReachError as error:
            raise RenderError(str(error), rule="outside-reach") from error

    return resolve
