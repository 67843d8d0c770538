"""Builds the report as a static site: the work of ``pillarbook build``."""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.read_declared import find_link_policy, need_configuration, token_key
from pillarbook.cli.summary import report_found, show_progress
from pillarbook.cli.timing import Timing
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.settings import Settings
from pillarbook.model.phrases import count
from pillarbook.session import RunOptions, Session

if TYPE_CHECKING:
    from pillarbook.changes.comparison import SinceReport
    from pillarbook.cli.history_folder import HistoryFolder
    from pillarbook.publish.run import PublishedSite
    from pillarbook.report.source import NotCompared


@contextmanager
def opening(
    options: RunOptions,
    timing: Timing | None = None,
    jobs: int | None = 1,
    base: "SinceReport | NotCompared | None" = None,
    history: "HistoryFolder | None" = None,
) -> Iterator[Callable[[Settings], Session]]:
    """Return a function that opens a site's session; a terminal shows the progress.

    The fleet has been compiled when the first minion's page asks for its pillar.

    ``base`` is what the report is compared with, None for what the configuration names; ``history``
    are the builds before, if somebody keeps them.
    """
    from pillarbook.changes.since_revision import open_report_session  # noqa: PLC0415 (slow to load)
    from pillarbook.report.history_reader import SavedHistory  # noqa: PLC0415 (as above)

    with ExitStack() as bars:

        def opener(settings: Settings) -> Session:
            bars.close()  # a site may be built twice
            session = open_report_session(settings, options, base)
            session.jobs = jobs
            if history is not None:
                history.known.forget()
                history.known.follow(session.store)
                clean = history.known.clean
                session.report.history = SavedHistory(history.entries, base is not None, clean)
            step = _show_late(bars, len(session.fleet.minions))
            if timing is not None:
                timing.mark("reading")
                step = _mark_first(step, timing)
            session.report.on_pillar = step
            return session

        yield opener


def _show_late(bars: ExitStack, minions: int) -> Callable[[], None]:
    """Return a step that shows the progress once it is first done, and until the last.

    A bar has a thread of its own, and processes can be forked only while there is none.
    """
    begun: list[Callable[[], None]] = []
    numbers = itertools.count(1)

    def step() -> None:
        if not begun:
            begun.append(bars.enter_context(show_progress("writing", minions)))
        begun[0]()
        if next(numbers) == minions:
            bars.close()

    return step


def _mark_first(step: Callable[[], None], timing: Timing) -> Callable[[], None]:
    """Return a step that marks the end of compiling when it is first done."""
    ends = iter(("compiling",))

    def mark_and_step() -> None:
        for end in ends:
            timing.mark(end)
        step()

    return mark_and_step


def build_report(base: RunOptions, values: dict[str, Any]) -> int:
    """Build the site, and return the exit code."""
    begin = time.monotonic()
    timing = values["timing"]
    timing.mark("loading")
    need_configuration(values["config_file"])
    from pillarbook.publish.mkdocs_run import build_site  # noqa: PLC0415 (MkDocs is slow to load)

    options = choose_options(base, values)
    if values["shard"] or values["output"]:
        return _build_part(options, values)
    if values["engine"] or values["scheduler"] or values["shards"]:
        return _build_on_dask(options, values, begin)
    history = _open_history(values, options)
    earlier = _find_earlier(values) if history is None else history.last
    with opening(options, timing, values["jobs"], earlier, history) as opener:
        published = build_site(
            values["config_file"],
            site_dir=values["site_dir"],
            strict=values["strict"],
            open_session=opener,
            options=options,
            kept=() if history is None else (history.folder,),
        )
    report_published(published, begin)
    if history is not None and published is not None:
        history.redact()
        if published.entry is not None:
            history.write(published.entry)
    return 0


def _open_history(values: dict[str, Any], options: RunOptions) -> "HistoryFolder | None":
    """Return the folder of the builds before; None if nobody keeps them."""
    if values["history"] is None:
        return None
    if values["since_report"]:
        raise click.UsageError("Give either --history or --since-report.")
    from pillarbook.cli.history_folder import HistoryFolder  # noqa: PLC0415 (few builds keep one)

    links = find_link_policy({"master": None, **values})
    return HistoryFolder(values["history"], links, options.token_key)


def choose_options(base: RunOptions, values: dict[str, Any]) -> RunOptions:
    """Return the options of a run that writes a site."""
    return replace(
        base,
        trust=values["trust"],
        allow=tuple(values["allow"]),
        token_key=token_key(),
        clock=values["clock"],
    )


def _build_part(options: RunOptions, values: dict[str, Any]) -> int:
    """Write a part of the report, and return the exit code."""
    if not (values["shard"] and values["output"]):
        raise click.UsageError("--shard N/M and --output PART go together.")
    if values["engine"] or values["scheduler"] or values["shards"]:
        raise click.UsageError("Give either --shard or --engine.")
    if values["strict"] or values["site_dir"] or values["since_report"] or values["history"]:
        raise click.UsageError(
            "A part is no site: give --strict and --site-dir to `pillarbook merge`;"
            " it cannot be compared, as --since-report and --history ask for."
        )
    from pillarbook.cli.report_parts import build_part  # noqa: PLC0415 (few builds need it)

    return build_part(options, values)


def _build_on_dask(options: RunOptions, values: dict[str, Any], begin: float) -> int:
    """Build the site on a Dask cluster, and return the exit code."""
    if not (values["engine"] and values["scheduler"]):
        raise click.UsageError("--engine dask and --scheduler ADDRESS go together.")
    if values["since_report"] or values["history"]:
        raise click.UsageError(
            "A site of several machines cannot be compared, as --since-report and --history ask"
            " for."
        )
    from pillarbook.cli.build_on_dask import build_on_dask  # noqa: PLC0415 (few builds need it)

    return build_on_dask(options, values, begin)


def report_published(published: "PublishedSite | None", begin: float) -> None:
    """Report the diagnostics of a site, its place, and the seconds since ``begin``."""
    if published is None:
        return
    report_found(published.diagnostics)
    seconds = time.monotonic() - begin
    place = clean_line(str(published.folder))
    pages = count(published.pages, "page")
    click.echo(f"pillarbook: {place}: {pages} in {seconds:.1f} s", err=True)


def _find_earlier(values: dict[str, Any]) -> "SinceReport | NotCompared | None":
    """Return an earlier report; the first build of a site has none, so that stops no build."""
    where = values["since_report"]
    if where is None:
        return None
    from pillarbook.cli.earlier_report import (  # noqa: PLC0415 (few builds compare with a report)
        EarlierReportError,
        read_earlier_report,
        show_report_place,
    )
    from pillarbook.report.source import NotCompared  # noqa: PLC0415 (as above)

    try:
        return read_earlier_report(where, find_link_policy({"master": None, **values}))
    except EarlierReportError as error:
        return NotCompared(show_report_place(where), error.reason)
