"""The file that `build --shard` writes and `merge` reads: one part of a report.

A part holds what one machine has found and written, including secrets in clear text, so all of it
but its head is encrypted with a key that is derived from the token key (docs/decisions/0036). Data
is unpickled only after that key has confirmed that this program wrote it.
"""

import io
import json
import os
import pickle
import tarfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from pillarbook import __version__
from pillarbook.diagnostics import PillarbookError
from pillarbook.publish.inputs import Inputs
from pillarbook.publish.run import Build, PartWritten
from pillarbook.publish.sealed_stream import BLOCK, BrokenSealError, SealedReader, SealedWriter
from pillarbook.redact.tokens import TokenKey
from pillarbook.session.report_parts import PartMaker

if TYPE_CHECKING:
    from pillarbook.session.report_shares import ReportPart

MAGIC = b"pillarbook part 1\n"
"""The first line; the number changes with the format."""
MAX_HEAD = 2**16
PURPOSE = b"parts of a report"
STATE = "state"
"""The first entry: what is not a file beside the pages."""


class PartError(PillarbookError):
    """A file cannot be used as a part of this report."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"{file}: {why}")


class PartsError(PillarbookError):
    """The files are not all parts of one report."""


@dataclass(frozen=True, slots=True)
class PartHead:
    """What anybody can read of a part."""

    number: int
    """Which part it is, from 1."""
    count: int
    version: str
    key: str
    """The id of the token key."""
    program: str
    """The digests of ``Inputs``."""
    configuration: str
    files: str
    commit: str


def need_key(token_key: bytes | None, what: str) -> TokenKey:
    """Return the key for tokens.

    Raises:
        PartsError: None is given.
    """
    if token_key is None:
        raise PartsError(
            f"{what} needs PILLARBOOK_TOKEN_KEY, the same for all parts: it encrypts them, and"
            " makes the same tokens in all"
        )
    return TokenKey(token_key)


def write_part(
    out: BinaryIO, key: TokenKey, shard: tuple[int, int], inputs: Inputs, state: Any, folder: Path
) -> None:
    """Write a part.

    ``shard`` is the number of the part, and the number of parts; ``state`` is what the machine has
    found, for ``pickle``.
    """
    head = PartHead(*shard, __version__, key.id, **asdict(inputs))
    line = json.dumps(asdict(head)).encode() + b"\n"
    out.write(MAGIC + line)
    sealed = SealedWriter(out, key.derive(PURPOSE), line)
    content = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    with tarfile.open(mode="w|", fileobj=cast("Any", sealed), format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo(STATE)
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
        for file in sorted(folder.iterdir()):
            entry = tarfile.TarInfo(file.name)
            entry.size = file.stat().st_size
            with file.open("rb") as data:
                tar.addfile(entry, data)
    sealed.close()


class PartFile:
    """The file of a part."""

    def __init__(self, path: Path, key: TokenKey) -> None:
        """Read the head of a part.

        Raises:
            PartError: It is no part, or cannot be used with this key or program.
        """
        self.path = path
        """Its file."""
        self._key = key.derive(PURPOSE)
        try:
            with path.open("rb") as file:
                magic = file.readline(len(MAGIC))
                self._line = file.readline(MAX_HEAD)
        except OSError as error:
            raise PartError(path, error.strerror or "it cannot be read") from error
        if magic != MAGIC:
            raise PartError(path, "this is no part that `pillarbook build --shard` wrote")
        self.head = self._read_head(self._line)
        """Its head."""
        if self.head.version != __version__:
            raise PartError(
                path, f"pillarbook {self.head.version} made this part, this is {__version__}"
            )
        if self.head.key != key.id:
            raise PartError(path, "this part was made with another PILLARBOOK_TOKEN_KEY")

    def _read_head(self, line: bytes) -> PartHead:
        try:
            read = json.loads(line)
            kinds = {field.name: int if field.type is int else str for field in fields(PartHead)}
            if read.keys() == kinds.keys() and all(
                isinstance(read[name], kind) for name, kind in kinds.items()
            ):
                return PartHead(**read)
        except (ValueError, AttributeError, RecursionError):
            pass
        raise PartError(self.path, "this part is damaged: its head cannot be read")

    def refuse_other(self, inputs: Inputs) -> None:
        """Refuse a part of another report.

        Raises:
            PartError: It was made of something else.
        """
        why = tell_difference(self.head, inputs)
        if why is not None:
            raise PartError(self.path, f"this part was made {why}")

    def unpack(self, folder: Path) -> Any:
        """Write the files of the pages into a folder, and return what the machine has found.

        Raises:
            PartError: The part is damaged.
        """
        state: Any = None
        try:
            with self.path.open("rb") as file:
                file.seek(len(MAGIC) + len(self._line))
                stream = SealedReader(file, self._key, self._line)
                with tarfile.open(mode="r|", fileobj=cast("Any", stream)) as tar:
                    for entry in tar:
                        content = tar.extractfile(entry)
                        data = b"" if content is None else content.read()
                        if entry.name == STATE:
                            # The seal of these bytes was right, so this program wrote them.
                            state = pickle.loads(data)  # noqa: S301 (as above)
                        else:
                            (folder / Path(entry.name).name).write_bytes(data)
                while stream.read(BLOCK):  # to the last block, which says that it is the last
                    pass
        except (BrokenSealError, tarfile.TarError) as error:
            raise PartError(self.path, "this part is damaged, cut off or changed") from error
        return state


def tell_difference(made: PartHead | Inputs, wanted: Inputs) -> str | None:
    """Return why a part is none of a report, as the end of a sentence; None if it is one."""
    if made.program != wanted.program:
        return "with other code, Python or libraries than here"
    if made.commit != wanted.commit:
        return f"of {_name(made.commit)}, and here is {_name(wanted.commit)}"
    if made.configuration != wanted.configuration:
        return "with another configuration, or other options"
    if made.files != wanted.files:
        return "of other files of pillar, states or inventory than the ones here"
    return None


def _name(commit: str) -> str:
    return f"commit {commit[:12]}" if commit else "no commit"


def refuse_incomplete(parts: Sequence[PartFile]) -> None:
    """Refuse files that are not each part of one report once.

    Raises:
        PartsError: One is missing, or there twice, or there are parts of two divisions.
    """
    known: dict[int, PartFile] = {}
    for part in parts:
        number, count = part.head.number, part.head.count
        if count != parts[0].head.count:
            raise PartError(
                part.path,
                f"this is part {number}/{count}, and {parts[0].path} is"
                f" {parts[0].head.number}/{parts[0].head.count}",
            )
        if number in known:
            raise PartError(part.path, f"{known[number].path} is part {number}/{count} as well")
        known[number] = part
    count = parts[0].head.count
    missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in known]
    if missing:
        raise PartsError(f"{len(missing)} of {count} parts are missing, the first is {missing[0]}")


BringParts: TypeAlias = Callable[["Inputs", Callable[[PartFile], None]], None]
"""Calls a function with each part of the report that is made of some inputs."""


@dataclass(eq=False)
class WrittenPart:
    """Writes one part, and no site."""

    _maker: PartMaker
    _key: TokenKey
    _open_out: Callable[[], AbstractContextManager[BinaryIO]]
    _wanted: "Inputs | None" = None

    def before(self, _build: Build, inputs: "Inputs") -> None:
        """Refuse to make a part that nobody can merge.

        Raises:
            PartsError: This machine would make it of something else.
        """
        why = tell_difference(inputs, self._wanted or inputs)
        if why is not None:
            raise PartsError(f"the worker would make the part {why}")

    def after(self, build: Build, inputs: "Inputs") -> None:
        """Write the part.

        Raises:
            PartWritten: Always.
        """
        shard = self._maker.shard
        assert build.parts is not None  # noqa: S101 (the maker has written into it)
        with self._open_out() as out:
            place, made = (shard.number, shard.count), self._maker.made
            write_part(out, self._key, place, inputs, made, build.parts.folder)
        raise PartWritten


class MergedParts:
    """Takes what the parts have, instead of compiling the fleet."""

    def __init__(self, bring: BringParts) -> None:
        self._bring = bring
        self.taken: list[ReportPart] = []
        """What the machines have found."""
        self.is_done = False
        """Whether the parts were taken; a build that begins again compiles the fleet itself."""

    def before(self, build: Build, inputs: "Inputs") -> None:
        """Put the written pages where this build has those of its own processes.

        Raises:
            PartError: A part is damaged, or is none of this report.
        """
        self.taken.clear()
        if self.is_done:
            return
        self.is_done = True
        folder = build.make_parts_folder()

        def take(one: PartFile) -> None:
            one.refuse_other(inputs)
            self.taken.append(one.unpack(folder))

        self._bring(inputs, take)

    def after(self, build: Build, _inputs: "Inputs") -> None:
        """Let as many processes search the site as there are processors."""
        build.processes = len(os.sched_getaffinity(0))
