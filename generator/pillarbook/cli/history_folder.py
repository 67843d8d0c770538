"""The folder of ``build --history``: a file for each build that changed something.

Files are named by time, commit and content, so two builds never write one file.
``report/history_entry.py`` describes their content.
"""

import json
import sys
from collections.abc import Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import click

from pillarbook.changes.comparison import SinceReport
from pillarbook.cli.output import open_bytes
from pillarbook.cli.value_text import clean_line
from pillarbook.compare.result_reader import BROKEN
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.tokens import TokenKey, Tokens
from pillarbook.report.history_entry import FORM, SCHEMA, is_sealed_by, write_entry
from pillarbook.report.history_reader import read_entry, redact_entry
from pillarbook.roots.file_access import DISK
from pillarbook.roots.no_links import open_folder

MAX_BYTES = 50_000_000
"""The most bytes of a file."""
MAX_ENTRIES = 2_000
"""The most files that are read; the newest."""
MAX_NAMED = 3
"""The most files that are left out and named."""


class _NoEntryError(Exception):
    """A file that is no entry of this history; says why and what to do."""


class HistoryFolder:
    """Reads and writes the entries of a history.

    Raises:
        LinkLeadsOutError: A link of the repository leads out of it.
        click.ClickException: The folder cannot be read.
    """

    def __init__(self, folder: Path, links: LinkPolicy, token_key: bytes | None) -> None:
        self.folder = folder
        """The folder."""
        self.known = SecretIndex()
        """The secrets of this build."""
        self._links = links
        self._key = TokenKey(token_key)
        self._files = self._read_all()

    @property
    def entries(self) -> tuple[Mapping[str, Any], ...]:
        """The entries, oldest first; files that are none were left out with a warning."""
        found = self._files.values()
        return tuple(sorted(found, key=lambda entry: (entry["number"], entry["time"])))

    @property
    def last(self) -> SinceReport | None:
        """The commit of the last build, to compare with; None if it has none."""
        if not self.entries or self.entries[-1]["commit"] is None:
            return None
        last, commit = self.entries[-1], self.entries[-1]["commit"]
        return SinceReport.check(commit["id"], last["time"], commit["modified"])

    def write(self, text: str) -> None:
        """Add an entry.

        Raises:
            LinkLeadsOutError: A link of the repository leads out of it.
            click.ClickException: It cannot be written.
        """
        entry = json.loads(text)
        made = entry["time"].translate(str.maketrans("", "", "-:"))
        commit = entry["commit"]["id"][:7] if entry["commit"] else "none"
        digest = blake2b(text.encode(), digest_size=4).hexdigest()
        try:
            with open_folder(self._links.resolve(self.folder), make=True):
                pass
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it cannot be made"
            raise click.ClickException(f"--history {self.folder}: {why}") from error
        self._write(self.folder / f"{made}-{commit}-{digest}.json", text)

    def redact(self) -> None:
        """Take what is a secret by now out of the older files, as a later build may not know it.

        Raises:
            click.ClickException: A file cannot be written.
        """
        for name, entry in self._files.items():
            redacted = redact_entry(entry, self.known.clean)
            if redacted is not entry:
                plain = {key: part for key, part in redacted.items() if key != "seal"}
                self._write(self.folder / name, write_entry(plain, self._key))
                self._warn(f"{self.folder / name} had a value that is a secret now; it is redacted")

    def _write(self, file: Path, text: str) -> None:
        with open_bytes(file, self._links, private=True) as out:
            out.write(text.encode())

    def _read_all(self) -> dict[str, Mapping[str, Any]]:
        try:
            real = self._links.resolve(self.folder)
            names = sorted(DISK.names(real), reverse=True) if real.exists() else []
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it cannot be read"
            raise click.ClickException(f"--history {self.folder}: {why}") from error
        files: dict[str, Mapping[str, Any]] = {}
        left: dict[str, str] = {}
        for name in islice((name for name in names if name.endswith(".json")), MAX_ENTRIES):
            try:
                files[name] = self._read(real / name)
            except _NoEntryError as error:
                left[name] = str(error)
        for name, why in islice(left.items(), MAX_NAMED):
            self._warn(f"{self.folder / name} is left out of the history: {why}")
        if len(left) > MAX_NAMED:
            self._warn(f"files of {self.folder} that are left out, too: {len(left) - MAX_NAMED:,}")
        return files

    def _read(self, file: Path) -> Mapping[str, Any]:
        try:
            content = DISK.read(file, MAX_BYTES + 1, follow=False)
        except OSError as error:
            raise _NoEntryError(f"{error.strerror or 'it cannot be read'}; remove it") from error
        if len(content) > MAX_BYTES:
            raise _NoEntryError(f"it has more than {MAX_BYTES // 10**6} MB; remove it")
        try:
            entry: Any = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise _NoEntryError("it is no complete JSON; remove it") from error
        schema = entry.get("schema") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or schema != SCHEMA:
            if str(schema).startswith(FORM):
                raise _NoEntryError("a newer pillarbook wrote it; use that version")
            raise _NoEntryError("`build --history` did not write it; move it elsewhere")
        try:
            if not is_sealed_by(entry, self._key):
                raise _NoEntryError(
                    "it was changed, or written with another PILLARBOOK_TOKEN_KEY; use the key that"
                    " wrote it, or remove it"
                )
            read_entry(entry, Tokens())
        except BROKEN as error:
            raise _NoEntryError("it is damaged; remove it") from error
        # Most entries name the same minions.
        entry["minions"] = [sys.intern(minion) for minion in entry["minions"]]
        return entry

    def _warn(self, text: str) -> None:
        click.echo(clean_line(f"pillarbook: warning: {text}"), err=True)
