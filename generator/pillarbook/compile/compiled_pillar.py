"""The result of a compile: one minion's pillar in the clear, and what it was made of."""

from dataclasses import dataclass

from pillarbook.compile.render_file import RenderResult
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue, TemplateLiterals
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.compile.top.tops import MergedTop
from pillarbook.compile.tree_lookups import Look
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, MapNode


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretReaders:
    """What the readers of one compile were shown, besides the reads that ``renders`` records."""

    without_recording: bool = False
    """Whether no reads were recorded."""
    top: MergedTop | None = None
    """The targets that were put to the minion; one object for all that have the same."""
    shown: MapNode | None = None
    """The pillar that SLS files and targets saw; None if they saw none."""
    external: tuple[MapNode, ...] = ()
    """The pillars that external pillars were handed, those only that look at them."""
    reads: frozenset[KeyPath] = frozenset()
    """What external pillars read of the pillar, as far as they were shown placeholders."""
    functions: frozenset[str] = frozenset()
    """The functions that external pillars looked up."""
    decrypted: bool = False
    """Whether external pillars saw what was decrypted."""
    named: tuple[NamedValue, ...] = ()
    """Secrets that templates of external pillars hold under names of their own."""
    literals: tuple[TemplateLiterals, ...] = ()
    """What templates of external pillars spell out."""

    def __repr__(self) -> str:
        """Return how much there is, never a value."""
        return f"Readers({len(self.external)} external pillars)"


NOTHING_READ = SecretReaders()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledPillar:
    """What one minion gets, in the clear; the import contracts name who may hold it."""

    minion: str
    """The minion's id."""
    tree: MapNode
    """The pillar; with Salt's ``_errors`` in it where there are errors."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    errors: tuple[str, ...]
    """Salt's ``_errors``, in Salt's order."""
    raises: str | None
    """Salt's exception where the compile breaks off."""
    targets: tuple[TargetVerdict, ...]
    """Each target of the top file with its verdict."""
    pillarenv: str | None
    """The pinned pillar environment; None if all are merged."""
    saltenv: str | None
    """The minion's saltenv."""
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics, without the minion."""
    renders: tuple[RenderResult, ...]
    """Every file rendered for it, with the reads it depended on."""
    includes: frozenset[tuple[str, str, str]] = frozenset()
    """Each include: environment, the SLS that includes, the SLS included."""
    under: frozenset[tuple[str, str, str, KeyPath]] = frozenset()
    """Each include with ``key:``: the same, and the keys that it names."""
    looks: tuple[Look, ...] = ()
    """What it looked at besides the files that were rendered."""
    beside: tuple[MapNode, ...] = ()
    """What came from elsewhere than its SLS files: external pillars, its own declared pillar."""
    readers: SecretReaders = NOTHING_READ
    """What templates, matchers and external pillars could read, besides what is recorded."""
    secret_names: tuple[tuple[str, KeyPath], ...] = ()
    """Texts in its names that are computed from secrets, with the path of a secret for each."""

    @property
    def named(self) -> tuple[NamedValue, ...]:
        """The secrets that its templates hold."""
        return (*(one for result in self.renders for one in result.named), *self.readers.named)

    def without_making(self) -> "CompiledPillar":
        """Return what is redacted and written of it, without what it was made of.

        A fleet is compiled before the first minion is written, and most of what a minion takes in
        memory is the trees of its files and what they asked.
        """
        named = self.named
        # Made again, as `replace` reads all fields first, and a fleet has a pillar for each minion.
        return CompiledPillar(
            minion=self.minion,
            tree=self.tree,
            outcome=self.outcome,
            errors=self.errors,
            raises=self.raises,
            targets=self.targets,
            pillarenv=self.pillarenv,
            saltenv=self.saltenv,
            diagnostics=(),
            renders=(),
            readers=SecretReaders(named=named) if named else NOTHING_READ,
            secret_names=self.secret_names,
        )

    def __repr__(self) -> str:
        """Return what it is, never its values."""
        return f"CompiledPillar({self.minion!r}, {self.outcome})"
