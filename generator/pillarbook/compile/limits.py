"""What one render may take before it is stopped."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one render; a breach is a diagnostic that names the SLS."""

    seconds: float = 5.0
    """Processor time of one template."""
    output: int = 16 * 1024 * 1024
    """Characters that one template may print."""
    nodes: int = 1_000_000
    """Nodes of one YAML document, counted through its aliases."""
    levels: int = 200
    """How deep a document may nest; what reads it calls itself for each level."""
    memory: int = 2 * 1024 * 1024 * 1024
    """Bytes of address space above what the process has when the compile begins."""
