"""What Python programs call: a pillar repository is opened, and its minions' pillars are read.

The names that other programs may import are those of ``pillarbook.__all__``. Pillars come out
redacted, as they do from every command.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from pillarbook.compare.change import Change
from pillarbook.compare.pillars import Comparer
from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.redact import Redacted, RedactedLeaf, RedactedOrigin, RedactedPillar
from pillarbook.redact.redacted_pillar import FailedPillarError
from pillarbook.session import RunOptions, Session
from pillarbook.session import open_session as open_internal_session
from pillarbook.session.fleet import hint_at_minion

__all__ = [
    "Change",
    "Diagnostic",
    "PillarSession",
    "PillarbookError",
    "Redacted",
    "RedactedLeaf",
    "RedactedOrigin",
    "RedactedPillar",
    "RunOptions",
    "Settings",
    "Severity",
    "open_session",
]


class UnknownNameError(PillarbookError):
    """A minion or an environment is asked for that is not declared."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no declared {what} matches '{name}'{hint_at_minion(name, known)}")


class PillarSession:
    """A pillar repository that is open; ``open_session`` makes one.

    Close it after use, or use it in a ``with`` statement.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_checked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the processes of the session and remove its temporary files."""
        self._session.close()

    def minions(self, *globs: str) -> tuple[str, ...]:
        """Return the ids of the minions that match one of the globs; of all without a glob.

        Raises:
            UnknownNameError: A glob matches no minion. A loop over nothing would hide that.
        """
        fleet = self._session.fleet
        for glob in globs:
            if not fleet.choose([glob]):
                raise UnknownNameError("minion", glob, fleet.minions)
        return tuple(fleet.choose(globs))

    def environments(self) -> tuple[str, ...]:
        """Return the names of the environments that ``compile`` can be asked for."""
        return tuple(one.name for one in self._session.fleet.environments)

    def grains(self, minion: str) -> dict[str, Any]:
        """Return the declared grains of a minion, redacted.

        Raises:
            UnknownNameError: The minion is not declared.
        """
        self._check_minion(minion)
        return dict(self._session.shown.grains(minion))

    def compile(self, minion: str, environment: str | None = None) -> RedactedPillar:
        """Compile the pillar of a minion.

        A failed compile is no exception: ``outcome`` of the result says how it went.

        Args:
            minion: The minion's id.
            environment: Compile it in this environment and not in its own.

        Raises:
            UnknownNameError: The minion or the environment is not declared.
        """
        (pillar,) = self._compile((minion, environment))
        return pillar

    def compare(
        self, base: tuple[str, str | None] | str, head: tuple[str, str | None] | str
    ) -> tuple[Change, ...]:
        """Compare two pillars; the result is empty if both have the same values in the same order.

        Args:
            base: A minion's id, or an id and an environment.
            head: The same for the other side.

        Raises:
            FailedPillarError: One of them failed to compile.
            UnknownNameError: A minion or an environment is not declared.
        """
        sides = [(side, None) if isinstance(side, str) else side for side in (base, head)]
        pillars = self._compile(*sides)
        for pillar in pillars:
            if not pillar.has_data:
                raise FailedPillarError(pillar)
        return Comparer().compare(*pillars)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return what ``pillarbook check`` reports for the whole repository, worst first."""
        if not self._is_checked:
            self._session.look_at_all()
            self._is_checked = True
        return self._session.shown.diagnostics

    def _compile(self, *wanted: tuple[str, str | None]) -> list[RedactedPillar]:
        """Return pillars; the secrets of all of them are redacted in each."""
        compiler, environments = self._session.compiler, self.environments()
        compiled = []
        for minion, environment in wanted:
            self._check_minion(minion)
            if environment is None:
                compiled.append(compiler.compile(minion))
            elif environment in environments:
                compiled.append(compiler.compile_in(environment, minion))
            else:
                raise UnknownNameError("environment", environment, environments)
        # In a large fleet, or in another environment, these may have secrets that are new.
        for one in compiled:
            self._session.collect_secrets(one)
        self._session.freeze_secrets()
        return [self._session.shown.redact_with_faults(one) for one in compiled]

    def _check_minion(self, minion: str) -> None:
        fleet = self._session.fleet
        if not fleet.has(minion):
            raise UnknownNameError("minion", minion, fleet.minions)


def open_session(
    config: Settings | Path | str = "mkdocs.yml", options: RunOptions | None = None
) -> PillarSession:
    """Open a pillar repository.

    Every minion is compiled once, as in the commands: what is plain text on one minion may be the
    password of another.

    Args:
        config: The MkDocs configuration with the pillarbook section, or settings.
        options: What is allowed, such as ``RunOptions(trust=True)``; nothing by default.

    Raises:
        PillarbookError: The configuration, the master file or the inventory has faults.
    """
    settings = config if isinstance(config, Settings) else _read_settings(Path(config), options)
    with ExitStack() as cleanup:
        session = cleanup.enter_context(open_internal_session(settings, options))
        session.freeze_fleet_secrets()
        cleanup.pop_all()
    return PillarSession(session)


def _read_settings(file: Path, options: RunOptions | None) -> Settings:
    """Return the settings of a configuration, which no link of the tree may name elsewhere."""
    given = options or RunOptions()
    homes = (file.absolute().parent,)
    LinkPolicy(homes=homes, allow=given.allow, trusted=given.trust).resolve(file)
    return load_settings(file)
