"""Opens what the shared options declare, with the permissions of the run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from pillarbook.cli.read_declared import read_settings, token_key
from pillarbook.session import RunOptions, Session, open_session
from pillarbook.session.fleet import Fleet, hint_at_minion


def open_declared(
    base: RunOptions,
    declared: dict[str, Any],
    **asked: Any,
) -> Session:
    """Open the session that the shared options describe.

    Args:
        base: The options of the run so far.
        declared: The values of ``options.declared_options``.
        asked: Further fields of ``RunOptions``.

    Raises:
        click.UsageError: Only one of ``--master`` and ``--inventory``.
        PillarbookError: The configuration or inventory has faults.
    """
    options = replace(
        base,
        trust=declared["trust"],
        allow=tuple(declared["allow"]),
        token_key=token_key(),
        clock=declared["clock"],
        **asked,
    )
    session = open_session(read_settings(declared), options)
    if options.heartbeat is not None:
        options.heartbeat.held.append(session)
    return session


def need_matches(globs: Sequence[str], *fleets: Fleet) -> None:
    """Stop the command if a glob matches no minion of any fleet.

    Raises:
        click.ClickException: A glob matches none.
    """
    for glob in globs:
        if not any(fleet.choose([glob]) for fleet in fleets):
            hint = hint_at_minion(glob, fleets[0].minions)
            raise click.ClickException(f"no declared minion matches '{glob}'{hint}")


def asked_minions(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of ``RunOptions`` that say which minions a run is about, and as what."""
    return {name: asked[name] for name in ("minions", "as_new", "grains")}
