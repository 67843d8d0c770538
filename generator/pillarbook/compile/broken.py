"""The ways in which Salt's own compile stops, and Salt's words for missing SLS and environments."""

from collections.abc import Collection
from typing import Any

from pillarbook.compile.renderers.yamlex_names import printed
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Position


class CompileBreaksOff(Exception):  # noqa: N818 (what happens to the compile)
    """Salt's compile ends with an exception, so the minion gets no pillar at all."""

    def __init__(self, words: str, diagnostic: Diagnostic | None = None) -> None:
        super().__init__(words)
        self.words = words
        """The type and words of Salt's exception."""
        self.diagnostic = diagnostic
        """The cause and its position, if more is known than Salt's words."""

    def diagnose(self, what: str, position: Position | None) -> Diagnostic:
        """Return the diagnostic of a compile that Salt stops.

        ``what`` is what Salt stops: ``the compile``. ``position`` is used if no better one is
        known.
        """
        return self.diagnostic or new_diagnostic(
            "compile-breaks-off", f"Salt stops {what}: {self.words}", position
        )


def malformed_option(
    message: str, position: Position | None, option: str, remedy: str | None = None
) -> Diagnostic:
    """Return the diagnostic of an option at which Salt stops, or which it ignores."""
    remedy = remedy or f"see Salt's documentation of `{option}`"
    return new_diagnostic("malformed-option", message, position, remedy=remedy)


def word_missing_sls(sls: str, saltenv: Any) -> str:
    """Return Salt's words for an SLS that does not exist.

    Source: Salt ``salt/pillar/__init__.py`` (``render_pillar``, ``render_pstate``).
    """
    return (
        f"Specified SLS '{printed(sls)}' in environment '{printed(saltenv)}' is not"
        " available on the salt master"
    )


def is_missing_sls(error: str) -> bool:
    """Say whether an error of Salt is about an SLS that does not exist."""
    return error.startswith("Specified SLS '")


def word_missing_environment(saltenv: Any) -> str:
    """Return Salt's words for an environment that does not exist."""
    return f"No matching pillar environment for environment '{printed(saltenv)}' found"


def suggest_environment(saltenv: Any, known: Collection[str], option: str) -> str:
    """Return what to do about an environment without roots."""
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (only errors need it)

    if not isinstance(saltenv, str):
        return f"quote its name as text, or add the environment to `{option}`"
    similar = find_similar(saltenv, known)
    adds = f"add the environment to `{option}`"
    return adds if similar is None else f"did you mean '{similar}'? If not, {adds}"
