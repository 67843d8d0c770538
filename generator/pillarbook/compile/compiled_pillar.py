"""The result of a compile: one minion's clear pillar, with the inputs that it depends on."""

from collections.abc import Iterator
from dataclasses import dataclass

from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue, TemplateLiterals
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.compile.top.tops import MergedTop
from pillarbook.compile.tree_lookups import Look
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, MapNode


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretReaders:
    """What templates, targets and external pillars saw, besides the reads in ``renders``."""

    without_recording: bool = False
    """Whether no reads were recorded."""
    top: MergedTop | None = None
    """The targets that were tested; one object for all minions with the same targets."""
    shown: MapNode | None = None
    """The pillar that SLS files and targets saw; None if they saw none."""
    external: tuple[MapNode, ...] = ()
    """The pillars that external pillars got; only for those that read the pillar."""
    reads: frozenset[KeyPath] = frozenset()
    """The pillar keys that external pillars read, if they were given placeholders."""
    functions: frozenset[str] = frozenset()
    """The functions that external pillars called."""
    decrypted: bool = False
    """Whether external pillars saw decrypted values."""
    named: tuple[NamedValue, ...] = ()
    """The secrets in templates of external pillars, with the names of their variables."""
    literals: tuple[TemplateLiterals, ...] = ()
    """The literals in templates of external pillars."""

    def __repr__(self) -> str:
        """Return the number of reads, never a value."""
        return f"Readers({len(self.external)} external pillars)"


NOTHING_READ = SecretReaders()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledPillar:
    """The clear pillar of one minion; the import contracts list who may use it."""

    minion: str
    """The minion's id."""
    tree: MapNode
    """The pillar, with Salt's ``_errors`` if there are errors."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    errors: tuple[str, ...]
    """Salt's ``_errors``, in Salt's order."""
    raises: str | None
    """Salt's exception if it stops the compile."""
    targets: tuple[TargetVerdict, ...]
    """Each target of the top file with its verdict."""
    pillarenv: str | None
    """The pinned pillar environment; None if all are merged."""
    saltenv: str | None
    """The minion's saltenv."""
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics, without the minion."""
    renders: tuple[RenderResult, ...]
    """Every rendered file, with the reads that the render depends on."""
    includes: frozenset[tuple[str, str, str]] = frozenset()
    """Each include: environment, the SLS that includes, the SLS included."""
    under: frozenset[tuple[str, str, str, KeyPath]] = frozenset()
    """Each include with ``key:``: environment, including and included SLS, and the keys."""
    looks: tuple[Look, ...] = ()
    """The lookups of files other than the rendered ones."""
    beside: tuple[MapNode, ...] = ()
    """Values from other sources than SLS files: external pillars, the minion's declared pillar."""
    readers: SecretReaders = NOTHING_READ
    """What templates, matchers and external pillars could read, in addition to the recorded
    reads."""
    has_unknown: bool = False
    """Whether it has values that are not known."""
    secret_names: tuple[tuple[str, KeyPath], ...] = ()
    """Texts in its names that are computed from secrets, each with the path of a secret."""

    @property
    def named(self) -> tuple[NamedValue, ...]:
        """The secrets in its templates."""
        return (*(one for result in self.renders for one in result.named), *self.readers.named)

    def paths_read(self) -> Iterator[str]:
        """Yield the paths of the files that its templates read, below their roots."""
        return (read.path for render in self.renders for read in render.files)

    def without_making(self) -> "CompiledPillar":
        """Return a copy without the inputs, for redaction and output.

        A fleet is compiled before the first minion is written, and most of a minion's memory is for
        the trees of its files and their recorded reads.
        """
        named = self.named
        # Not `replace`, which reads all fields first: a fleet has one pillar for each minion.
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
        """Return the minion and the outcome, never a value."""
        return f"CompiledPillar({self.minion!r}, {self.outcome})"
