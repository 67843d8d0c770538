"""Opens what the shared options declare, with the permissions of the run."""

from dataclasses import replace
from typing import Any

import click

from pillarbook.cli.read_declared import read_settings, token_key
from pillarbook.session import RunOptions, Session, open_session
from pillarbook.session.fleet import hint_at_minion


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


def choose_minions(session: Session, globs: tuple[str, ...]) -> list[str]:
    """Return the minions that the globs name.

    Raises:
        click.ClickException: A glob matches none.
    """
    for glob in globs:
        if not session.fleet.choose([glob]):
            hint = hint_at_minion(glob, session.fleet.minions)
            raise click.ClickException(f"no declared minion matches '{glob}'{hint}")
    return session.fleet.choose(globs)
