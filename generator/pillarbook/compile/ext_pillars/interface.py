"""What an external pillar is handed, and what it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pillarbook.compile.limits import Limits
from pillarbook.model import MapNode


@dataclass(frozen=True, slots=True)
class ExtPillarContext:
    """One minion at the point where external pillars run."""

    minion_id: str
    """The minion's id."""
    pillar: MapNode
    """What is compiled so far."""
    grains: Mapping[Any, Any]
    """The minion's grains."""
    opts: Mapping[Any, Any]
    """The options as Salt hands them over; ``id`` is the master's."""
    salt: Any
    """The functions."""
    options: Mapping[str, Any]
    """The options of this compile; not to be handed to templates."""
    folder: Path
    """The master file's folder."""
    resolve: Callable[[str], Path]
    """Maps a path of the configuration through ``paths:``; a RenderError where out of reach."""
    shown: Callable[[Path], str]
    """How a file is shown."""
    limits: Limits
    """What one render may take."""
    note_file: Callable[[Path], None]
    """Is told of each file looked for and each folder listed."""


class ExtPillar(Protocol):
    """One external pillar."""

    def __call__(self, context: ExtPillarContext, config: Any) -> MapNode | None:
        """Return what it gives to a minion.

        Args:
            context: The minion.
            config: What stands under its name in the options.

        Raises:
            RenderError: With Salt's words, as they stand behind ``Failed to load ext_pillar``.
        """
        ...
