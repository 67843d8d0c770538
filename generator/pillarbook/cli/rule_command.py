"""``pillarbook rule``: what a rule finds, why, and what to do."""

import click

from pillarbook.cli import options
from pillarbook.diagnostics.guide_texts import read_guide_page, rule_name
from pillarbook.diagnostics.rules import RULES


def complete_rules(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the rules that begin so, for the shell."""
    return [code for code in RULES if code.startswith(incomplete)]


@click.command()
@click.argument("code", required=False, shell_complete=complete_rules)
def command(code: str | None) -> int:
    """Explain the rule CODE: what it finds, an example, and what to do. Without CODE, list all.

    \b
    Examples:
      pillarbook rule
      pillarbook rule lost-scalar
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    if code is None:
        widest = max(map(len, RULES))
        for rule in RULES.values():
            off = " (off by default)" if rule.is_asked else ""
            click.echo(f"{rule.code:<{widest}}  {rule.severity!s:<7}  {rule.title}{off}")
        return 0
    if code not in RULES:
        raise click.ClickException(options.describe_unknown_rule(code, RULES))
    click.echo(read_guide_page(rule_name(code)), nl=False)
    return 0
