"""What a build does besides, if it writes one part of a report, or puts the parts together."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO

from pillarbook.publish.part_files import PartFile, write_part
from pillarbook.publish.run import Build, PartWritten
from pillarbook.redact.tokens import TokenKey
from pillarbook.session.report_parts import PartMaker

if TYPE_CHECKING:
    from pillarbook.publish.inputs import Inputs
    from pillarbook.session.report_shares import ReportPart


class WrittenPart:
    """Writes one part, and no site.

    Args:
        maker: Makes the part.
        key: The key for tokens.
        open_out: Opens the file.
    """

    def __init__(
        self,
        maker: PartMaker,
        key: TokenKey,
        open_out: Callable[[], AbstractContextManager[BinaryIO]],
    ) -> None:
        self._maker = maker
        self._key = key
        self._open_out = open_out

    def before(self, _build: Build, _inputs: "Inputs") -> None:
        """Do nothing."""

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
    """Takes what the parts have, instead of compiling the fleet.

    Args:
        files: The parts.
    """

    def __init__(self, files: Sequence[PartFile]) -> None:
        self._files = files
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
        for one in self._files:
            one.refuse_other(inputs)
        folder = build.make_parts_folder()
        self.taken += [one.unpack(folder) for one in self._files]

    def after(self, build: Build, _inputs: "Inputs") -> None:
        """Let as many processes search the site as there are processors."""
        build.processes = len(os.sched_getaffinity(0))
