"""Streams that let no secret out: they search each line before they write it."""

import re
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast

from pillarbook.patterns.bidi_controls import BIDI_CONTROLS
from pillarbook.redact.found_parts import Hit
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import MARK, SecretIndex
from pillarbook.redact.secret_search import splice

BLOCK = 2**16
"""Characters that are searched at once; a longer line is searched in pieces of this size."""
TAIL = 512
"""Characters of a line, already written, that are searched again with the rest of it."""
COMMANDS = re.compile(f"[\x80-\x9f{BIDI_CONTROLS}]")
"""What a terminal obeys, and JSON leaves as it is."""
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""Escape sequences for colours; they can be inside a word."""


@contextmanager
def filtered_streams(known: SecretIndex) -> Iterator[None]:
    """Search standard output and standard error for secrets while a command runs."""
    before = sys.stdout, sys.stderr
    out, err = DataStream(sys.stdout, known), MessageStream(sys.stderr, known)
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        with suppress(OSError, ValueError):  # the reader is gone
            err.flush()


class FilteredStream(ABC):
    """A text stream that writes to another one; it has no ``buffer``, which would bypass it."""

    def __init__(self, stream: TextIO, known: SecretIndex, name: str = "standard error") -> None:
        self._stream = stream
        self._known = known
        self._name = name
        self._lock = threading.RLock()  # a progress bar writes from a thread of its own
        self._waiting: list[str] = []
        self._size = 0
        self._tail = ""
        self.encoding = stream.encoding
        self.errors = stream.errors

    def write(self, text: str) -> int:
        """Accept text; write it when its line is complete."""
        if not isinstance(text, str):
            raise TypeError("this stream takes text")
        with self._lock:
            self._waiting.append(text)
            self._size += len(text)
            if self._is_due(text):
                self._write_lines()
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Accept several texts."""
        for text in texts:
            self.write(text)

    def flush(self) -> None:
        """Write all text, also an incomplete line."""
        with self._lock:
            text = "".join(self._waiting)
            self._wait_with("")
            self._write_searched(text)
            self._stream.flush()

    @property
    def closed(self) -> bool:
        """Whether the stream is closed."""
        return self._stream.closed

    def isatty(self) -> bool:
        """Return whether a terminal shows the text."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the number of the file behind it."""
        return self._stream.fileno()

    def _is_due(self, text: str) -> bool:
        """Return whether the new text completes a line."""
        return "\n" in text or self._size > BLOCK

    def _write_lines(self) -> None:
        """Write the complete lines, and the text so far of a very long one."""
        text = "".join(self._waiting)
        cut = text.rfind("\n") + 1
        if len(text) - cut > BLOCK:
            cut = len(text)
        self._wait_with(text[cut:])
        self._write_searched(text[:cut])

    def _wait_with(self, rest: str) -> None:
        self._waiting, self._size = [rest] if rest else [], len(rest)

    def _write_searched(self, text: str) -> None:
        before = self._tail
        # A secret may arrive in two writes, so the end of the written text is searched again with
        # the next text.
        self._tail = (before + text)[-TAIL:].rpartition("\n")[2]
        if text and self._known:
            text = self._search(before, text)
        self._put(text)

    def _put(self, text: str) -> None:
        self._stream.write(text)

    @abstractmethod
    def _search(self, before: str, text: str) -> str:
        """Return the part of a text that may be written.

        ``before`` is the start of its first line, already written.
        """

    def _find(self, text: str) -> list[Hit]:
        return list(self._known.find(_encode(text)))

    def _take_down(self, hit: Hit) -> Leak:
        leak = Leak(self._name, self._known.key_of(hit.secret_id))
        if leak not in self._known.leaks:
            self._known.leaks.append(leak)
        return leak


class DataStream(FilteredStream):
    """Standard output, or a file in its place: writing stops before a secret.

    Raises:
        LeakError: From ``write`` and ``flush``; the line with the secret is not written.
    """

    def __init__(self, stream: TextIO, known: SecretIndex, name: str = "standard output") -> None:
        super().__init__(stream, known, name)
        self._shows_lines = stream.isatty()
        self._has_ended = False

    def write_searched(self, text: str) -> None:
        """Write a text that was searched before, after what waits."""
        with self._lock:
            waiting = "".join(self._waiting)
            self._wait_with("")
            self._write_searched(waiting)
            self._tail = ""
            self._put(text)

    def _put(self, text: str) -> None:
        if self._shows_lines and not text.isascii():
            text = COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        super()._put(text)

    def _is_due(self, text: str) -> bool:
        return self._size > BLOCK or (self._shows_lines and "\n" in text)

    def _search(self, before: str, text: str) -> str:
        if self._has_ended:
            return ""
        for hit in self._find(before + text):
            self._has_ended = True
            raw, written = _encode(before + text), len(_encode(before))
            end = raw.rfind(b"\n", 0, hit.start) + 1
            self._put(raw[written:end].decode("utf-8", "surrogatepass"))
            self._stream.flush()
            raise LeakError(f"{self._name} is not complete", [self._take_down(hit)])
        return text


class MessageStream(FilteredStream):
    """Standard error: a mark replaces each secret, and the command continues."""

    def _search(self, before: str, text: str) -> str:
        if "\x1b" in text and self._find(ESCAPES.sub("", before + text)):
            text = ESCAPES.sub("", text)
        written = len(_encode(before))
        hits = [hit for hit in self._find(before + text) if hit.end > written]
        if not hits:
            return text
        for hit in hits:
            self._take_down(hit)
        raw = splice(_encode(before + text), hits, lambda _: MARK, written)
        return raw.decode("utf-8", "surrogatepass")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
