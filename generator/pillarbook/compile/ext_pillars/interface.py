"""What an external pillar is handed, and what it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.renderers.source_text import Line
from pillarbook.model import MapNode, Node


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


class QuietFailure(RenderError):  # noqa: N818 (what it is to Salt)
    """A failure that the external pillar tells the log only: ``_errors`` has no entry for it."""

    def __init__(
        self, message: str, place: Line | None = None, *, rule: str = "ext-pillar-error"
    ) -> None:
        super().__init__(message, place, rule=rule)


class ExtPillar(Protocol):
    """One external pillar."""

    joins_pillar: bool
    """Whether what it gives holds the pillar that it was handed, and what of it gave way."""

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return what it gives to a minion: a mapping, or Salt breaks the compile off.

        Args:
            context: The minion.
            config: What stands under its name in the options.

        Raises:
            RenderError: With Salt's words, as they stand behind ``Failed to load ext_pillar``.
            QuietFailure: It gives nothing, and Salt has no words for that.
        """
        ...
