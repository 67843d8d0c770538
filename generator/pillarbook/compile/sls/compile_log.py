"""The results of one minion's compile besides data."""

from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue, TemplateLiterals
from pillarbook.compile.tree_lookups import Look
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, MapNode
from pillarbook.roots.tree_interface import FoundFile


@dataclass(slots=True)
class CompileLog:
    """The results of one minion's SLS files besides data."""

    diagnostics: dict[Diagnostic, None] = field(default_factory=dict)
    """Diagnostics."""
    renders: list[RenderResult] = field(default_factory=list)
    """Every render with its recorded reads."""
    sealed: bool = False
    """Whether an SLS is ciphertext as a whole and was not decrypted."""
    has_unknown: bool = False
    """Whether an SLS has values that are not known."""
    incomplete: bool = False
    """Whether an external pillar failed for which Salt has no entry in ``_errors``."""
    includes: set[tuple[str, str, str]] = field(default_factory=set)
    """Each include: environment, including and included SLS."""
    under: set[tuple[str, str, str, KeyPath]] = field(default_factory=set)
    """Each include with ``key:``: the same, and the keys."""
    beside: list[MapNode] = field(default_factory=list)
    """The data of each external pillar."""
    read: list[MapNode] = field(default_factory=list)
    """The pillars that external pillars could read."""
    reads: set[KeyPath] = field(default_factory=set)
    """The pillar keys that external pillars read, if they were given placeholders."""
    functions: set[str] = field(default_factory=set)
    """The functions that templates of external pillars called."""
    decrypted: bool = False
    """Whether templates of external pillars saw decrypted values."""
    named: dict[NamedValue, None] = field(default_factory=dict)
    """The secrets in templates of external pillars, with the names of their variables."""
    literals: dict[TemplateLiterals, None] = field(default_factory=dict)
    """The literals in templates of external pillars."""
    looks: dict[Look, None] = field(default_factory=dict)
    """The lookups of files other than the rendered ones."""
    into_pillar: dict[Any, FoundFile] = field(default_factory=dict)
    """Keys that a template put into ``pillar`` itself, with its file; only without recording."""

    def join(self, other: "CompileLog") -> None:
        """Add the results of another compile for the same minion."""
        self.diagnostics.update(other.diagnostics)
        self.renders.extend(other.renders)
        self.includes.update(other.includes)
        self.under.update(other.under)
        self.functions.update(other.functions)
        self.named.update(other.named)
        self.literals.update(other.literals)
        self.reads.update(other.reads)
        self.read.extend(other.read)
        self.decrypted = self.decrypted or other.decrypted
        self.sealed = self.sealed or other.sealed
        self.incomplete = self.incomplete or other.incomplete

    def join_sls(self, other: "CompileLog") -> None:
        """Add the results of an SLS with its includes."""
        self.join(other)
        self.looks.update(other.looks)
        self.has_unknown = self.has_unknown or other.has_unknown
