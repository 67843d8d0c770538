"""``pillarbook build``: the report as a static site."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.open_declared import need_configuration, token_key
from pillarbook.cli.progress import show_progress
from pillarbook.cli.shared_options import clock_option, configuration_option, trust_options
from pillarbook.cli.summary import report_found
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, Session

if TYPE_CHECKING:
    from pillarbook.publish.run import PublishedSite

TRUST = "Trust the configuration: allow hooks, plugins, code, keys and outside paths."


@contextmanager
def opening(options: RunOptions) -> Iterator[Callable[[Settings], Session]]:
    """Return a function that opens a site's session; a terminal shows the progress."""
    from pillarbook.changes.since_revision import open_report_session  # noqa: PLC0415 (slow to load)

    with ExitStack() as bars:

        def opener(settings: Settings) -> Session:
            bars.close()  # a site may be built twice
            session = open_report_session(settings, options)
            session.report.on_pillar = bars.enter_context(
                show_progress("writing", len(session.fleet.minions))
            )
            return session

        yield opener


@click.command()
@configuration_option
@click.option(
    "--site-dir",
    type=click.Path(path_type=Path),
    help="Folder for the site; overrides `site_dir`.",
)
@click.option("--strict", is_flag=True, help="On any error, publish nothing and exit with 1.")
@trust_options(TRUST)
@clock_option
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Write the report as a static site.

    The new site replaces the old one at the end of the build. If the build fails, the old site
    does not change. Errors in the pillar are in the report and on standard error. With --strict,
    broken links are errors too.

    \b
    Examples:
      pillarbook build
      pillarbook build --strict --site-dir public
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    begin = time.monotonic()
    need_configuration(values["config_file"])
    from pillarbook.publish.build import build_site  # noqa: PLC0415 (MkDocs is slow to load)

    options = replace(
        base,
        trust=values["trust"],
        allow=tuple(values["allow"]),
        token_key=token_key(),
        clock=values["clock"],
    )
    done: list[PublishedSite] = []
    with opening(options) as opener:
        code = build_site(
            values["config_file"],
            site_dir=values["site_dir"],
            strict=values["strict"],
            open_session=opener,
            options=options,
            on_published=done.append,
        )
    for published in done:
        report_found(published.diagnostics)
        seconds = time.monotonic() - begin
        place = clean_line(str(published.folder))
        click.echo(f"pillarbook: {place}: {count_pages(published)} in {seconds:.1f} s", err=True)
    return code


def count_pages(published: "PublishedSite") -> str:
    """Return how many pages a site has, in words."""
    return "1 page" if published.pages == 1 else f"{published.pages:,} pages"
