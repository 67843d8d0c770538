"""The destination of a command's data, and the formats of pillars."""

import errno
import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO, cast

import click

from pillarbook.cli.filtered import DataStream
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.redact import RedactedPillar
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.roots.no_links import open_folder
from pillarbook.session import Session
from pillarbook.session.pillar_texts import dump_yaml

_STEERING = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""What JSON leaves as it is, and a terminal does not only show."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def open_output(
    file: Path | None, known: SecretIndex | None, links: LinkPolicy, *, private: bool = False
) -> Iterator[TextIO]:
    """Yield standard output, or a file that replaces the old one when it is complete.

    Secrets in ``known`` must not get into the file; standard output is always searched. With
    ``private``, only the owner may read the file.

    Raises:
        LeakError: The data has a secret; the old file does not change.
        LinkLeadsOutError: A link in the tree leads outside.
        click.ClickException: The file cannot be written.
    """
    if file is None:
        yield sys.stdout
        return
    with open_bytes(file, links, private=private) as raw:
        out = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace")
        if known is None:
            yield out
        else:
            searched = DataStream(out, known, clean_line(known.clean(str(file))))
            yield cast("TextIO", searched)
            searched.flush()
        out.flush()
        out.detach()


@contextmanager
def open_bytes(file: Path, links: LinkPolicy, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file that replaces the old one when it is complete; nothing searches it.

    ``private`` says whether only the owner may read it.

    Raises:
        LinkLeadsOutError: A link in the tree leads outside.
        click.ClickException: The file cannot be written.
    """
    try:
        with _open_file(file, links.resolve(file), 0o600 if private else 0o644) as out:
            yield out
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


@contextmanager
def _open_file(file: Path, target: Path, mode: int) -> Iterator[BinaryIO]:
    """Yield a stream that replaces a file; a device or pipe is written to directly.

    The target is the file that a link points to; the link stays. Other hard links keep the old
    text.
    """
    if file.exists() and not file.is_file():
        with _open_device(file) as out:
            yield out
        return
    # Processes of two machines that share a folder may have one number.
    partial = f".pillarbook-{os.getpid()}-{secrets.token_hex(4)}.partial"
    with open_folder(target.parent) as folder:
        descriptor = os.open(partial, _NEW, mode, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as out:
                yield out
            os.replace(partial, target.name, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(partial, dir_fd=folder)


def _open_device(file: Path) -> BinaryIO:
    """Open a device or pipe for writing; fail if a regular file has replaced it."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "replaced by a regular file meanwhile", str(file))
    return os.fdopen(descriptor, "wb")


def writer_of_json(out: TextIO, write: Callable[[str], object]) -> Callable[[str], object]:
    """Return a function that writes JSON; on a terminal, no text in it can steer the terminal."""
    if not out.isatty():
        return write
    return lambda text: write(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def write_json_pillars(write: Callable[[str], object], written: Iterable[str]) -> None:
    """Write ``{minion: pillar}``, given ``"minion": pillar`` for each minion, in their order."""
    separator = "{\n"
    for text in written:
        write(f"{separator}{text}")
        separator = ",\n"
    write("{}\n" if separator == "{\n" else "\n}\n")


def write_json_lines(write: Callable[[str], object], written: Iterable[str]) -> None:
    """Write ``{minion: pillar}`` for each minion on a line of its own, given the same."""
    for text in written:
        write(f"{{{text}}}\n")


def write_yaml_pillars(out: TextIO, session: Session, pillars: Iterable[RedactedPillar]) -> None:
    """Write ``{minion: pillar}`` as YAML; types that YAML lacks are tagged as in the JSON."""
    out.writelines(
        dump_yaml({pillar.minion: session.shown.texts.tagged(pillar, in_yaml=True)})
        for pillar in pillars
    )


def write_result(out: TextIO, session: Session, pillars: Iterable[RedactedPillar]) -> None:
    """Write a saved result, for ``pillarbook diff``."""
    # Few runs save a result.
    from pillarbook.compare.result_writer import ResultHead, ResultWriter  # noqa: PLC0415
    from pillarbook.diagnostics.formats.text_and_json import to_json  # noqa: PLC0415

    store = session.shown.store
    key = store.key.id if store.key.is_given else None
    writer = ResultWriter(
        out,
        ResultHead(session.report.site_name, key, session.compiler.project.clock),
        store.token,
    )
    for pillar in pillars:
        writer.write(pillar)
    told = to_json(session.shown.diagnostics)["diagnostics"]
    writer.finish(told, reads_clock=session.shown.reads_clock)
