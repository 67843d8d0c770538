"""``pillarbook build``: the report as a static site."""

from pathlib import Path
from typing import Any

import click

from pillarbook.book import FleetBook, Heartbeat, RunOptions, open_book
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
@click.option("--site-dir", type=click.Path(path_type=Path), help="Where to write the site.")
@click.option("--strict", is_flag=True, help="Publish nothing when there is any error.")
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
    help="Let the configuration do what it asks for: hooks, plugins, code, keys, outside paths.",
)
@click.pass_obj
def command(heartbeat: Heartbeat | None, /, **values: Any) -> int:
    """Write the report as a static site, in the place of the last one when all is done."""
    from pillarbook.publish.build import build_site  # noqa: PLC0415 (MkDocs takes its time to load)

    def opener(settings: Settings) -> FleetBook:
        options = RunOptions(
            trust=values["trust"], allow=tuple(values["allow"]), heartbeat=heartbeat
        )
        return open_book(settings, options)

    return build_site(
        values["config_file"],
        site_dir=values["site_dir"],
        strict=values["strict"],
        trusted=values["trust"],
        open_book=opener,
    )
