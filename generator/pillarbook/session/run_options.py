"""The options of a run that are not in the configuration, and what its session shares."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.project import Earlier, Remembered
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.asked_grains import AskedGrain
from pillarbook.inventory.declared_clock import Clock
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Redactor
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.roots.file_access import DISK, Files
from pillarbook.supervise.heartbeat import Heartbeat


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Flags and environment variables of a command."""

    trust: bool = False
    """Whether the tree may do what its configuration asks for."""
    python: bool = False
    """Whether renderers that run code may be used in this run."""
    renderers: tuple[str, ...] = ()
    """Renderers to use that Salt no longer has, besides those that the configuration names."""
    reveal: bool = False
    """Whether secrets are decrypted and shown; never for what is published."""
    memo: bool = True
    """Whether minions share what they have in common."""
    explains: bool = True
    """Whether compound targets are matched word by word."""
    environments: bool = True
    """Whether each minion may be asked for in each of the environments that are compared."""
    checks: bool = True
    """Whether the rules of ``check`` look at what minions get."""
    checks_base: bool = False
    """Whether they also look at the base of a comparison."""
    allow: tuple[Path, ...] = ()
    """Folders outside the repository that may be read, and written to through links."""
    minions: tuple[str, ...] = ()
    """Globs of the minions that the run is about; all of them if empty."""
    as_new: str | None = None
    """The id of a minion to add, which no inventory declares; the run is about it, too."""
    grains: tuple[AskedGrain, ...] = ()
    """Grains to set on the minions that the run is about."""
    pillarenv: str | None = None
    """Forced on every minion."""
    saltenv: str | None = None
    """Forced on every minion."""
    pillar: Mapping[str, Any] | None = None
    """The command line's pillar, merged over each minion's own override."""
    token_key: bytes | None = None
    """Key of the tokens; random if there is none."""
    limits: Limits = field(default_factory=Limits)
    """The limits of one render."""
    heartbeat: Heartbeat | None = None
    """Where renders are noted for the watchdog."""
    clock: Clock | None = None
    """The current time, as templates have it; None if the configuration or the environment
    declares it, or nothing does."""
    now: Callable[[], float] = time.time
    """Gives the machine's time, in seconds since 1970, that keys are expired at or not."""
    known: SecretIndex | None = None
    """Records the secrets of the run, so that no output shows one."""
    site_name: str = "Pillar"
    """The name of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResources:
    """What a session is opened on."""

    files: Files = DISK
    """Where everything declared, and every file of the trees, is read from."""
    redactor: Redactor | None = None
    """The redactor of another session, so that tokens are the same; None for its own."""
    minions: tuple[Minion, ...] | None = None
    """The fleet, if the other session has read the same inventory; None to read it."""
    remembered: Remembered | None = None
    """What is kept from one compile to the next; None for its own."""
    earlier: Earlier | None = None
    """Gives results of the other session that hold here as well."""
    later: Callable[[Callable[[Path], str]], Iterable[Diagnostic]] = lambda _: ()
    """Gives the diagnostics that are known once files were read, from how a path is shown."""
