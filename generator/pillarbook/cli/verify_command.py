"""``pillarbook verify``: compares the pillar with a dump from a live master."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("dump")
@options.declared
@options.minion("Only minions that match; for a dump from salt-call, its minion.")
@options.text_or_json
@options.output
@options.code
@options.timing
def command() -> Does:
    """Compare the pillar with DUMP, the pillar from a live master, and suggest reasons.

    DUMP is the output of pillar.items from salt or salt-call with --out=json (--static works too),
    or - for standard input. Likely reasons are a missing or outdated grain in the inventory, an
    undeclared function or an external pillar; a grain is tested by compiling again. Secrets of
    both sides are redacted. Encrypted values without a key are counted but not compared.

    Exit codes: 0 equal, 2 differences or undeclared minions, 1 cannot compare.

    \b
    Examples:
      salt '*' pillar.items unmask=True --out=json > dump.json
      pillarbook verify dump.json
      salt-call pillar.items unmask=True --out=json | pillarbook verify - --minion web1
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.print_verify import verify_dump

    return verify_dump
