"""``pillarbook schema``: the JSON Schemas of what pillarbook writes and reads."""

import click

from pillarbook.patterns.similar import find_similar


def complete_schemas(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the names of schemas that begin so, for the shell."""
    from pillarbook.schemas import SCHEMAS

    return [name for name in SCHEMAS if name.startswith(incomplete)]


@click.command()
@click.argument("name", required=False, shell_complete=complete_schemas)
def command(name: str | None) -> int:
    """Print the JSON Schema NAME, of an output or of a file that you write. Without NAME, list all.

    \b
    Examples:
      pillarbook schema
      pillarbook schema inventory > inventory-1.json
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.schemas import SCHEMAS, write_schema

    if name is None:
        widest = max(map(len, SCHEMAS))
        for one, entry in SCHEMAS.items():
            click.echo(f"{one:<{widest}}  {entry.title}")
        return 0
    if name not in SCHEMAS:
        near = find_similar(name, SCHEMAS)
        hint = f"; did you mean '{near}'?" if near else "; `pillarbook schema` lists all schemas"
        raise click.ClickException(f"there is no schema '{name}'{hint}")
    click.echo(write_schema(name), nl=False)
    return 0
