"""What a session is opened on: where its files are read from, and what it shares with another."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pillarbook.compile.project import Earlier, Remembered
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Redactor
from pillarbook.roots.file_access import DISK, Files


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResources:
    """What a session stands on."""

    files: Files = DISK
    """Where everything declared, and every file of the trees, is read from."""
    redactor: Redactor | None = None
    """The redactor of another session, so that tokens are the same; None for its own."""
    minions: tuple[Minion, ...] | None = None
    """The fleet, where the other session has read the same inventory; None to read it."""
    remembered: Remembered | None = None
    """What is kept from one compile to the next; None for its own."""
    earlier: Earlier | None = None
    """Gives results of the other session that hold here as well."""
    later: Callable[[Callable[[Path], str]], Iterable[Diagnostic]] = lambda _: ()
    """Gives what there is to say once files were read, handed how a path is shown."""
