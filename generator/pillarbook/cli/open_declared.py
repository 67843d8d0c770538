"""Opens what the shared options declare, with the permissions of the run."""

from dataclasses import replace
from typing import Any

import click

from pillarbook.cli.read_declared import read_settings, token_key
from pillarbook.session import RunOptions, Session, open_session
from pillarbook.session.fleet import Fleet, hint_at_minion

OF_THE_RUN = (
    *("rules", "reveal", "python", "renderers", "pillarenv", "saltenv", "pillar"),
    *("minions", "target", "as_new", "grains"),
)
"""Options of commands that are fields of ``RunOptions``."""

PILLARS_ALONE = {"explains": False, "environments": False, "checks": False}
"""Fields of ``RunOptions`` for commands that need no reasons, environments or findings of rules."""


def open_asked(
    base: RunOptions, declared: dict[str, Any], asked: dict[str, Any], **more: Any
) -> Session:
    """Open the session of a command with its own options; ``more`` counts before them."""
    asked["timing"].mark("loading")
    session = open_declared(base, declared, **{**options_of(asked), **more})
    asked["timing"].mark("reading")
    return session


def options_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return those of a command's options that are fields of ``RunOptions``."""
    return {name: asked[name] for name in OF_THE_RUN if name in asked}


def open_declared(base: RunOptions, declared: dict[str, Any], **asked: Any) -> Session:
    """Open the session that the shared options describe.

    Raises:
        click.UsageError: Only one of ``--master`` and ``--inventory``.
        PillarbookError: The configuration or inventory has faults.
    """
    options = make_options(base, declared, **asked)
    session = open_session(read_settings(declared), options)
    if options.heartbeat is not None:
        options.heartbeat.held.append(session)
    return session


def make_options(base: RunOptions, declared: dict[str, Any], **asked: Any) -> RunOptions:
    """Return the options of a run that the shared options describe."""
    return replace(
        base,
        trust=declared["trust"],
        allow=tuple(declared["allow"]),
        token_key=token_key(),
        clock=declared["clock"],
        **asked,
    )


def need_matches(asked: dict[str, Any], *fleets: Fleet) -> None:
    """Stop the command if a glob matches no minion of any fleet, or the target none of these.

    Raises:
        click.ClickException: It matches none.
    """
    globs, target = asked["minions"], asked["target"]
    for glob in globs:
        if not any(fleet.choose([glob]) for fleet in fleets):
            hint = hint_at_minion(glob, fleets[0].minions)
            raise click.ClickException(f"no declared minion matches '{glob}'{hint}")
    if target is not None and not any(fleet.asked for fleet in fleets):
        both = "--minion and " if globs else ""
        raise click.ClickException(f"no declared minion matches {both}--target '{target}'")
