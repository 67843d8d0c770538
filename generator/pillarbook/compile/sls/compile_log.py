"""What one minion's compile gathers besides data."""

from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.render_file import RenderResult
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue, TemplateLiterals
from pillarbook.compile.tree_lookups import Look
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, MapNode
from pillarbook.roots.tree_interface import FoundFile


@dataclass(slots=True)
class CompileLog:
    """What one minion's SLS files gave besides data."""

    diagnostics: dict[Diagnostic, None] = field(default_factory=dict)
    """Diagnostics."""
    renders: list[RenderResult] = field(default_factory=list)
    """Every render that took part, with its recorded reads."""
    sealed: bool = False
    """Whether an SLS stays sealed as a whole."""
    incomplete: bool = False
    """Whether an external pillar failed for which Salt has no entry in ``_errors``."""
    includes: set[tuple[str, str, str]] = field(default_factory=set)
    """Environment, including SLS and included SLS, as often as there are any."""
    under: set[tuple[str, str, str, KeyPath]] = field(default_factory=set)
    """The same of includes with ``key:``, and the keys that it names."""
    beside: list[MapNode] = field(default_factory=list)
    """What external pillars gave, each by itself."""
    read: list[MapNode] = field(default_factory=list)
    """The pillar that external pillars could read, as it was then."""
    reads: set[KeyPath] = field(default_factory=set)
    """What external pillars read of the pillar, where placeholders were shown."""
    functions: set[str] = field(default_factory=set)
    """The functions that templates of external pillars looked up."""
    decrypted: bool = False
    """Whether templates of external pillars saw something that was decrypted."""
    named: dict[NamedValue, None] = field(default_factory=dict)
    """Secrets that templates of external pillars hold under names of their own."""
    literals: dict[TemplateLiterals, None] = field(default_factory=dict)
    """What templates of external pillars spell out."""
    looks: dict[Look, None] = field(default_factory=dict)
    """What was looked at besides the files that were rendered."""
    into_pillar: dict[Any, FoundFile] = field(default_factory=dict)
    """Keys that a template put into ``pillar`` itself, with its file; empty while recording."""

    def join(self, other: "CompileLog") -> None:
        """Take over what another compile for the same minion gave."""
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
