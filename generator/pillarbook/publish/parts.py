"""What a build does besides, if it writes one part of a report, or puts the parts together."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from pillarbook.publish.part_files import PartFile, PartsError, tell_difference, write_part
from pillarbook.publish.run import Build, PartWritten
from pillarbook.redact.tokens import TokenKey
from pillarbook.session.report_parts import PartMaker

if TYPE_CHECKING:
    from pillarbook.publish.inputs import Inputs
    from pillarbook.session.report_shares import ReportPart

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
