"""The limits of one render."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one render; to exceed one is a diagnostic that names the SLS."""

    seconds: float = 5.0
    """Processor time of one template."""
    output: int = 16 * 1024 * 1024
    """The most characters that one template may print."""
    nodes: int = 1_000_000
    """The most nodes of one YAML document, with aliases expanded."""
    levels: int = 200
    """The deepest nesting of a document, because readers are recursive."""
    memory: int = 2 * 1024 * 1024 * 1024
    """The most bytes of address space, in addition to those at the start of the compile."""
