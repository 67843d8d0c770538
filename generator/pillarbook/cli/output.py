"""Where a command's data goes, and how pillars are written."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

import click

from pillarbook.book import FleetBook
from pillarbook.book.texts import dump_yaml
from pillarbook.cli.filtered import DataStream
from pillarbook.cli.values import clean_line
from pillarbook.compare.result_writer import ResultHead, ResultWriter
from pillarbook.diagnostics.formats import to_json
from pillarbook.redact import RedactedPillar
from pillarbook.redact.known import KnownSecrets


@contextmanager
def open_output(
    file: Path | None, known: KnownSecrets | None = None, *, private: bool = False
) -> Iterator[TextIO]:
    """Yield standard output, or a file that replaces the one before when all is written.

    Args:
        file: The file; None for standard output.
        known: What must not get into the file; standard output is searched anyway.
        private: Whether only the owner may read it.

    Raises:
        LeakError: A secret was about to be written; the file before stands.
        click.ClickException: It cannot be written.
    """
    if file is None:
        yield sys.stdout
        return
    try:
        with _open_file(file, 0o600 if private else 0o644) as out:
            if known is None:
                yield out
                return
            searched = DataStream(out, known, clean_line(known.clean(str(file))))
            yield cast("TextIO", searched)
            searched.flush()
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


@contextmanager
def _open_file(file: Path, mode: int) -> Iterator[TextIO]:
    """Yield what is written into a file; a device or pipe is written to as it is."""
    if file.exists() and not file.is_file():
        with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
            yield out
        return
    target = file.resolve()  # a link stays one
    partial = target.with_name(f".pillarbook-{os.getpid()}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as out:
            yield out
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_json_pillars(out: TextIO, book: FleetBook, pillars: Iterable[RedactedPillar]) -> None:
    """Write ``{minion: pillar}`` as tagged JSON, one minion after the other."""
    separator = "{\n"
    for pillar in pillars:
        out.write(f"{separator}{json.dumps(pillar.minion)}: {book.written(pillar)}")
        separator = ",\n"
    out.write("{}\n" if separator == "{\n" else "\n}\n")


def write_yaml_pillars(out: TextIO, book: FleetBook, pillars: Iterable[RedactedPillar]) -> None:
    """Write ``{minion: pillar}`` as YAML; what YAML lacks is in the tagged form of the JSON."""
    out.writelines(
        dump_yaml({pillar.minion: book.tagged(pillar, in_yaml=True)}) for pillar in pillars
    )


def write_result(out: TextIO, book: FleetBook, pillars: Iterable[RedactedPillar]) -> None:
    """Write a saved result, for ``pillarbook diff``."""
    store = book.store
    key = store.key_id if store.is_keyed else None
    writer = ResultWriter(out, ResultHead(book.site_name, key), store.token)
    for pillar in pillars:
        writer.write(pillar)
    writer.finish(to_json(book.diagnostics)["diagnostics"])
