"""Where a command's data goes, and how pillars are written."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from pillarbook.book import FleetBook
from pillarbook.redact import RedactedPillar


@contextmanager
def open_output(file: Path | None, *, private: bool) -> Iterator[TextIO]:
    """Yield standard output, or a file that replaces the one before when all is written.

    Args:
        file: The file; None for standard output.
        private: Whether only the owner may read it.
    """
    if file is None:
        yield sys.stdout
        return
    partial = file.with_name(f".{file.name}.partial")
    try:
        descriptor = os.open(
            partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o644
        )
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            yield out
        partial.replace(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


def write_json_pillars(out: TextIO, book: FleetBook, pillars: Iterable[RedactedPillar]) -> None:
    """Write ``{minion: pillar}`` as tagged JSON, one minion after the other."""
    separator = "{\n"
    for pillar in pillars:
        body = json.dumps(book.tagged(pillar), ensure_ascii=False)
        out.write(f"{separator}{json.dumps(pillar.minion)}: {body}")
        separator = ",\n"
    out.write("{}\n" if separator == "{\n" else "\n}\n")


def write_yaml_pillars(out: TextIO, book: FleetBook, pillars: Iterable[RedactedPillar]) -> None:
    """Write ``{minion: pillar}`` as YAML; what YAML lacks is in the tagged form of the JSON."""
    import yaml  # noqa: PLC0415 (only this format needs it)

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    for pillar in pillars:
        yaml.dump(
            {pillar.minion: book.tagged(pillar)},
            out,
            Dumper=dumper,
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=False,
        )
