"""The options of a run that are not in the configuration, and the objects that sessions share."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.project import Earlier, Remembered
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.asked_grains import AskedGrain
from pillarbook.inventory.declared_clock import Clock, read_epoch
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import Settings
from pillarbook.redact import Redactor
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.roots.file_access import DISK, Files
from pillarbook.supervise.heartbeat import Heartbeat


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The flags and environment variables of a command."""

    trust: bool = False
    """Whether the tree is trusted with everything that its configuration requests."""
    python: bool = False
    """Whether renderers that run code may be used in this run."""
    renderers: tuple[str, ...] = ()
    """Renderers that Salt has removed, in addition to those in the configuration."""
    reveal: bool = False
    """Whether secrets are decrypted and shown; never for what is published."""
    memo: bool = True
    """Whether minions share results."""
    explains: bool = True
    """Whether each word of compound targets gets a verdict."""
    environments: bool = True
    """Whether minions may be compiled in each compared environment."""
    checks: bool = True
    """Whether the rules of ``check`` run on pillars."""
    checks_base: bool = False
    """Whether they also run on the base of a comparison."""
    rules: tuple[str, ...] = ()
    """Rules that the command names; those that are off by default are on then."""
    allow: tuple[Path, ...] = ()
    """Folders outside of the repository that may be read, and written through links."""
    minions: tuple[str, ...] = ()
    """Globs of the minions of the run; empty for all."""
    target: str | None = None
    """A compound target that the minions of the run match too; None for no such limit."""
    as_new: str | None = None
    """The id of a minion to add, which no inventory declares; it is a minion of the run."""
    grains: tuple[AskedGrain, ...] = ()
    """Grains to set on the minions of the run."""
    pillarenv: str | None = None
    """Forced on every minion."""
    saltenv: str | None = None
    """Forced on every minion."""
    pillar: Mapping[str, Any] | None = None
    """The command line's pillar, merged over each minion's own override."""
    token_key: bytes | None = None
    """Key of the tokens; random if there is none."""
    limits: Limits = field(default_factory=Limits)
    heartbeat: Heartbeat | None = None
    """Gets notes about renders for the watchdog."""
    clock: Clock | None = None
    """The current time for templates; None for the time of the configuration or the environment."""
    now: Callable[[], float] = time.time
    """Returns the machine's time, in seconds since 1970, which decides whether keys are expired."""
    known: SecretIndex | None = None
    """Records the secrets of the run, so that no output shows one."""
    site_name: str = "Pillar"

    def choose_clock(self, settings: Settings) -> Clock | None:
        """Return the time of the run, the configuration's, that of SOURCE_DATE_EPOCH, or None.

        Raises:
            EpochError: SOURCE_DATE_EPOCH is used, and is no number.
        """
        if self.clock is not None:
            return self.clock
        if settings.clock is not None:
            return Clock(settings.clock, "`clock` in the configuration")
        return read_epoch(os.environ)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResources:
    """The objects with which a session is opened."""

    files: Files = DISK
    """The source of all declarations and of the files of the trees."""
    commit: str | None = None
    """The name of the commit whose files these are; None for the working tree."""
    redactor: Redactor | None = None
    """The redactor of another session, so that tokens are the same; None for its own."""
    minions: tuple[Minion, ...] | None = None
    """The fleet, if the other session has read the same inventory; None to read the inventory."""
    remembered: Remembered | None = None
    """The caches of compiles; None for its own."""
    earlier: Earlier | None = None
    """Returns renders of the other session that are valid here."""
    later: Callable[[Callable[[Path], str]], Iterable[Diagnostic]] = lambda _: ()
    """Returns diagnostics that are known after files were read; its argument returns shown
    paths."""
