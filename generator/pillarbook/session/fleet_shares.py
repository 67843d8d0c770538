"""Compiles a fleet and writes it as JSON in several processes; the output is always the same.

Each process compiles minions that it takes from a queue. Then all processes exchange the secret
lines of files, collect the secrets of their minions, exchange these, and freeze them. So each
process knows the secrets of the whole fleet, and redacts and writes its own minions. The first
process gets only texts without secrets, and diagnostics.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import TextIO, TypeAlias

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.gpg_decryptor import DecryptError, GpgDecryptor
from pillarbook.diagnostics import Diagnostic
from pillarbook.redact import Redactor
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.shared_secrets import NewSecrets
from pillarbook.session.session import Session
from pillarbook.supervise.shared_work import Member, SharedWork
from pillarbook.supervise.work_queue import WorkQueue


@dataclass(frozen=True, slots=True)
class WrittenShare:
    """The results of one process; the texts are in its member's file."""

    sizes: dict[str, int]
    """The number of bytes of each minion, by its own id, in the order of the file."""
    broke_off: bool
    """Whether Salt stops the compile of one of them."""
    found: dict[str, tuple[Diagnostic, ...]]
    """The diagnostics of each minion."""
    besides: tuple[Diagnostic, ...]
    """The diagnostics of the tree and of names."""
    leaks: tuple[Leak, ...] = ()
    """The secrets that were about to be written."""


Progress: TypeAlias = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Shows a task with its number of steps; returns a function to call after each step."""


class FleetShares:
    """The work on a fleet's minions, for ``SharedWork.run``.

    ``known`` records the secrets that were about to be written; ``wrap`` returns a stream that lets
    no secret through. ``progress`` is called after the processes are forked, because it may start a
    thread.
    """

    def __init__(
        self,
        session: Session,
        chosen: Sequence[str],
        *,
        with_states: bool,
        known: SecretIndex | None,
        wrap: Callable[[TextIO], TextIO],
        progress: Progress = lambda _what, _total: nullcontext(lambda: None),
    ) -> None:
        self._session = session
        self._with_states = with_states
        self._known = known
        self._wrap = wrap
        self._progress = progress
        self._queue = WorkQueue(session.fleet.sort_by_kind(chosen))
        self._ids = tuple(session.fleet.declared(minion).id for minion in chosen)
        self.compiled_at = 0.0
        """The time at which all minions were compiled, by ``time.perf_counter``."""
        prepare_decryptor(session)

    def work(self, member: Member) -> WrittenShare:
        """Compile the minions that this process takes, and write them into its file."""
        session, redactor = self._session, self._session.shown.redactor
        new_secrets = redactor.new_secrets()
        found: dict[str, tuple[Diagnostic, ...]] = {}
        minions = self._queue.take(member.rank / member.count)
        if member.rank == 0:
            minions = self._show(minions)
        compiled = [self._compile(minion, found) for minion in minions]
        besides = list(session.compile_besides(frozenset(self._ids))) if member.rank == 0 else []
        redactor.index(besides)
        exchange_secrets(member, redactor, new_secrets)
        self.compiled_at = time.perf_counter()
        for one in (*compiled, *besides):
            session.collect_secrets(one, for_show=False)
        exchange_secrets(member, redactor, new_secrets)
        session.freeze_secrets()
        sizes, broke_off = self._write(compiled, member.output)
        told = () if member.rank == 0 else tuple(session.shown.diagnostics_besides())
        leaks = () if self._known is None else tuple(self._known.leaks)
        return WrittenShare(sizes, broke_off, found, told, leaks)

    def _show(self, minions: Iterator[str]) -> Iterator[str]:
        """Yield minions, and show how many minions all processes have taken."""
        shown = 0
        with self._progress("compiling", len(self._ids)) as step:
            for minion in minions:
                yield minion
                before, shown = shown, self._queue.handed_out
                for _ in range(before, shown):
                    step()

    def _compile(self, minion: str, found: dict[str, tuple[Diagnostic, ...]]) -> CompiledPillar:
        """Return a minion's pillar or states; its diagnostics are added to ``found``."""
        compiler = self._session.compiler
        declared = self._session.fleet.declared(minion)
        compiled = compiler.compile_as(declared)
        found[declared.id] = compiler.findings.word(compiled)
        if not self._with_states:
            return self._session.keep_what_is_written(compiled)
        states = compiler.minion_compiler.compile_states(declared, compiled)
        found[declared.id] += compiler.findings.word(states)
        self._session.shown.redactor.index((states,))
        return states

    def _write(
        self, compiled: Sequence[CompiledPillar], output: int
    ) -> tuple[dict[str, int], bool]:
        """Return the size of each minion's text, and whether Salt stops the compile of one."""
        sizes: dict[str, int] = {}
        broke_off = False
        with (
            os.fdopen(os.dup(output), "w", encoding="utf-8", errors="backslashreplace") as raw,
            suppress(LeakError),  # the index has recorded it
        ):
            out = self._wrap(raw)
            for one in compiled:
                written = self._session.shown.write_json(one)
                out.write(f"{written.text}\n")
                sizes[one.minion] = len(written.text.encode("utf-8", "backslashreplace")) + 1
                broke_off = broke_off or written.broke_off
            out.flush()
        return sizes, broke_off

    def gather(self, shared: SharedWork, shares: Sequence[WrittenShare]) -> Iterator[str]:
        """Yield ``"ID": PILLAR`` of each minion as it was chosen, and note the diagnostics.

        Raises:
            LeakError: A process was about to write a secret; nothing is yielded.
        """
        leaks = [leak for share in shares for leak in share.leaks]
        if leaks:
            raise LeakError("nothing is written", leaks)
        findings = self._session.compiler.findings
        spots: dict[str, tuple[int, int, WrittenShare]] = {}
        for member, share in zip(shared.members, shares, strict=True):
            findings.add(share.besides)
            at = 0
            for minion, size in share.sizes.items():
                spots[minion] = member.output, at, share
                at += size
        for minion in self._ids:
            output, at, share = spots[minion]
            findings.take_over(minion, share.found[minion])
            yield os.pread(output, share.sizes[minion] - 1, at).decode("utf-8")


def prepare_decryptor(session: Session) -> None:
    """Copy the keys of gpg before other processes are forked: this one will remove the copy."""
    decryptor = session.compiler.project.decryptor
    if isinstance(decryptor, GpgDecryptor):
        with suppress(DecryptError):  # reported when a message is decrypted
            decryptor.prepare()


def exchange_secrets(member: Member, redactor: Redactor, new_secrets: NewSecrets) -> None:
    """Send the new secrets of each process to all others."""
    for rank, learned in enumerate(member.exchange(new_secrets.take())):
        if rank != member.rank:
            redactor.take_over(learned)
    new_secrets.take()  # the secrets of the others are not sent back
