"""Writes a part of a report, and puts parts together: ``build --shard`` and ``merge``."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.build_report import choose_options, opening, report_published
from pillarbook.cli.output import open_bytes
from pillarbook.cli.read_declared import find_link_policy, need_configuration
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.settings import Settings
from pillarbook.publish.mkdocs_run import build_site
from pillarbook.publish.part_files import (
    BringParts,
    MergedParts,
    PartFile,
    WrittenPart,
    need_key,
    refuse_incomplete,
)
from pillarbook.publish.sealed_stream import open_seal
from pillarbook.session import RunOptions, Session
from pillarbook.session.report_parts import ComparedPartError, PartMaker, PartTaker, Shard

if TYPE_CHECKING:
    from pillarbook.publish.inputs import Inputs


def build_part(options: RunOptions, values: dict[str, Any], wanted: "Inputs | None" = None) -> int:
    """Write the part that ``--shard`` names, and return the exit code.

    ``wanted`` is what the report is made of on the machine that asks for the part.
    """
    begin = time.monotonic()
    key = need_key(options.token_key, "--shard")
    open_seal(key.derive(b""))  # before the work
    maker = PartMaker(Shard(*values["shard"]))
    output, links = values["output"], find_link_policy({"master": None, **values})
    written = WrittenPart(maker, key, partial(open_bytes, output, links, private=True), wanted)
    with opening(options, values["timing"], values["jobs"]) as opener:

        def open_part(settings: Settings) -> Session:
            session = opener(settings)
            session.exchange = maker
            return session

        build_site(values["config_file"], open_session=open_part, options=options, parts=written)
    seconds = time.monotonic() - begin
    place = clean_line(str(output))
    click.echo(f"pillarbook: {place}: part {maker.shard} in {seconds:.1f} s", err=True)
    return 0


def merge_parts(base: RunOptions, values: dict[str, Any]) -> int:
    """Write the site of all parts, and return the exit code."""
    begin = time.monotonic()
    values["timing"].mark("loading")
    need_configuration(values["config_file"])
    options = choose_options(base, values)
    key = need_key(options.token_key, "merge")
    links = find_link_policy({"master": None, **values})
    files = [PartFile(links.resolve(one), key) for one in values["parts"]]
    refuse_incomplete(files)

    def bring(_inputs: "Inputs", take: Callable[[PartFile], None]) -> None:
        for one in files:
            take(one)

    return write_merged(options, values, bring, begin)


def write_merged(
    options: RunOptions, values: dict[str, Any], bring: BringParts, begin: float
) -> int:
    """Write the site of all parts, and return the exit code."""
    merged = MergedParts(bring)
    with opening(options, values["timing"], values["jobs"]) as opener:

        def open_merged(settings: Settings) -> Session:
            if settings.revisions:
                raise ComparedPartError  # before others work in vain
            session = opener(settings)
            if not merged.is_done:
                session.exchange = PartTaker(lambda: merged.taken)
            return session

        published = build_site(
            values["config_file"],
            site_dir=values["site_dir"],
            strict=values["strict"],
            open_session=open_merged,
            options=options,
            parts=merged,
        )
    report_published(published, begin)
    return 0
