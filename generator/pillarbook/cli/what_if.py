"""Options for what a minion would get: with other grains, or as a new minion."""

from collections.abc import Sequence

import click

from pillarbook.cli.shared_options import join_options
from pillarbook.inventory.asked_grains import AskedGrain


def _parse_new(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text == "":
        raise click.BadParameter("the id is empty")
    return text


def _parse_grains(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> tuple[AskedGrain, ...]:
    return tuple(map(_parse_grain, texts))


def _parse_grain(text: str) -> AskedGrain:
    key, equals, value = text.partition("=")
    appends = key.endswith("+")
    path = tuple(key.removesuffix("+").split(":"))
    if not equals or "" in path:
        raise click.BadParameter("give KEY=VALUE, such as roles=web")
    if path == ("id",):
        raise click.BadParameter("the grain `id` cannot be set; use --as-new ID")
    return AskedGrain(path, value, appends)


what_if_options = join_options(
    click.option(
        "--as-new",
        metavar="ID",
        callback=_parse_new,
        help="Add a minion that the inventory does not declare; it gets the defaults.",
    ),
    click.option(
        "--grain",
        "grains",
        multiple=True,
        callback=_parse_grains,
        metavar="KEY=VALUE",
        help="Set this grain, such as roles=web or ec2:region=eu. Repeat a key for a list;"
        " KEY+=VALUE adds to the existing list.",
    ),
)
"""Set grains, and add a minion."""
