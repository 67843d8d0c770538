"""``pillarbook build``: the report as a static site."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pillarbook.book import FleetBook, RunOptions
from pillarbook.cli.declared import need_configuration, token_key
from pillarbook.cli.options import clock_option, configuration_option, trust_options
from pillarbook.cli.progress import show_progress
from pillarbook.cli.summary import report_found
from pillarbook.cli.values import clean_line
from pillarbook.inventory.settings import Settings

if TYPE_CHECKING:
    from pillarbook.publish.run import Published

TRUST = "Let the configuration do what it asks for: hooks, plugins, code, keys, outside paths."


@contextmanager
def opening(options: RunOptions) -> Iterator[Callable[[Settings], FleetBook]]:
    """Give what opens the book of a site; a terminal shows how far it is written."""
    from pillarbook.book.since import open_report_book  # noqa: PLC0415 (takes its time to load)

    with ExitStack() as bars:

        def opener(settings: Settings) -> FleetBook:
            bars.close()  # a site may be built a second time
            book = open_report_book(settings, options)
            book.on_pillar = bars.enter_context(show_progress("writing", len(book.minions)))
            return book

        yield opener


@click.command()
@configuration_option
@click.option(
    "--site-dir",
    type=click.Path(path_type=Path),
    help="Where to write the site, in place of `site_dir`.",
)
@click.option("--strict", is_flag=True, help="Publish nothing, and exit with 1, on any error.")
@trust_options(TRUST)
@clock_option
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Write the report as a static site, in the place of the last one when all is done.

    What is wrong with the pillar is in the report, and on standard error; the last site stands
    where a build fails. With --strict, links that lead nowhere are errors, too.

    \b
    Examples:
      pillarbook build
      pillarbook build --strict --site-dir public
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    begin = time.monotonic()
    need_configuration(values["config_file"])
    from pillarbook.publish.build import build_site  # noqa: PLC0415 (MkDocs takes its time to load)

    options = replace(
        base,
        trust=values["trust"],
        allow=tuple(values["allow"]),
        token_key=token_key(),
        clock=values["clock"],
    )
    done: list[Published] = []
    with opening(options) as opener:
        code = build_site(
            values["config_file"],
            site_dir=values["site_dir"],
            strict=values["strict"],
            open_book=opener,
            options=options,
            on_published=done.append,
        )
    for published in done:
        report_found(published.diagnostics)
        seconds = time.monotonic() - begin
        place = clean_line(str(published.folder))
        click.echo(f"pillarbook: {place}: {count_pages(published)} in {seconds:.1f} s", err=True)
    return code


def count_pages(published: "Published") -> str:
    """Return how many pages a site has, in words."""
    return "1 page" if published.pages == 1 else f"{published.pages:,} pages"
