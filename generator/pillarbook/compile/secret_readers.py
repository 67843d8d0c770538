"""What the readers of one compile were shown: templates, targets and external pillars."""

from dataclasses import dataclass

from pillarbook.compile.renderers.jinja.named_values import NamedValue, TemplateLiterals
from pillarbook.compile.top.tops import MergedTop
from pillarbook.model import KeyPath, MapNode


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretReaders:
    """What the readers of one compile were shown, besides the reads that ``renders`` records."""

    without_recording: bool = False
    """Whether no reads were recorded."""
    top: MergedTop | None = None
    """The targets that were put to the minion; one object for all that have the same."""
    shown: MapNode | None = None
    """The pillar that SLS files and targets saw; None where they saw none."""
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
