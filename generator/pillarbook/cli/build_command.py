"""``pillarbook build``: the report as a static site."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pillarbook.book import FleetBook, RunOptions, open_book
from pillarbook.cli.declared import token_key
from pillarbook.cli.progress import show_progress
from pillarbook.cli.summary import report_found
from pillarbook.inventory.settings import Settings


@click.command()
@click.option(
    "-f",
    "--config-file",
    type=click.Path(path_type=Path),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The MkDocs configuration with the pillarbook section.",
)
@click.option(
    "--site-dir",
    type=click.Path(path_type=Path),
    help="Where to write the site, in place of `site_dir`.",
)
@click.option("--strict", is_flag=True, help="Publish nothing, and exit with 1, on any error.")
@click.option(
    "--allow",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="A folder outside the repository that may be read; may be given again.",
)
@click.option(
    "--trust",
    is_flag=True,
    envvar="PILLARBOOK_TRUST",
    show_envvar=True,
    help="Let the configuration do what it asks for: hooks, plugins, code, keys, outside paths.",
)
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Write the report as a static site, in the place of the last one when all is done.

    What is wrong with the pillar is in the report, and on standard error; the last site stands
    where a build fails.

    \b
    Examples:
      pillarbook build
      pillarbook build --strict --site-dir public
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    from pillarbook.publish.build import build_site  # noqa: PLC0415 (MkDocs takes its time to load)

    options = replace(
        base, trust=values["trust"], allow=tuple(values["allow"]), token_key=token_key()
    )
    books: list[FleetBook] = []
    with ExitStack() as bars:

        def opener(settings: Settings) -> FleetBook:
            book = open_book(settings, options)
            book.on_pillar = bars.enter_context(show_progress("writing", len(book.minions)))
            books.append(book)
            return book

        code = build_site(
            values["config_file"],
            site_dir=values["site_dir"],
            strict=values["strict"],
            trusted=values["trust"],
            open_book=opener,
        )
    if code == 0:
        report_found(books[-1].diagnostics)
    return code
