"""Writes the pages that somebody looks at before a server has built the whole site again.

A site takes as long as its fleet is large, but the page of a minion needs that minion only. It is
written first, with the secrets that the last build found; then the build writes all pages.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from pillarbook.diagnostics import PillarbookError
from pillarbook.model.unknown import STAND_IN
from pillarbook.publish.leak_gate import find_leaks
from pillarbook.publish.minion_parts import MINION_PAGES, encode
from pillarbook.publish.run import OpenSession
from pillarbook.redact import SecretStore
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.report.addresses import plan_pages
from pillarbook.report.report import Report
from pillarbook.report.source import ReportSource

BEGIN = b'<main id="page.content" tabindex="-1">\n'
"""What the theme has before the content of a page."""
END = b"\n</main>"
MAX_WRITTEN = 3
"""The most pages that are written before the site, because they delay it."""
MAX_SEEN = 50
"""The most pages that are remembered."""


class PagesInView:
    """The pages of a served site that browsers show."""

    def __init__(self, site: Path) -> None:
        self.store: SecretStore | None = None
        """The secrets of the last build; None before it."""
        self.on_written: Callable[[], None] = lambda: None
        """Called after pages were written, so that browsers load them."""
        self._site = site
        # The last seen one is at the end.
        self._seen: dict[str, None] = {}
        self._before: dict[str, bytes] = {}

    def note(self, address: str) -> None:
        """Remember that a browser has loaded a page."""
        self._seen.pop(address, None)
        self._seen[address] = None
        for oldest in list(self._seen)[:-MAX_SEEN]:
            self._seen.pop(oldest, None)

    def has_changed(self) -> bool:
        """Say whether a build has changed a page that browsers show, since ``write``."""
        return self._read() != self._before

    def write(
        self, open_session: Callable[[], OpenSession], make_report: Callable[[ReportSource], Report]
    ) -> None:
        """Write the last seen pages of minions as their sources are now.

        Errors are not reported, because the build meets them as well.
        """
        wanted = frozenset(list(self._seen)[-MAX_WRITTEN:])
        if self.store is not None and wanted:
            with suppress(PillarbookError), closing(open_session()) as session:
                session.know(self.store)
                self._write(session, make_report, wanted)
        self._before = self._read()

    def _write(
        self,
        session: OpenSession,
        make_report: Callable[[ReportSource], Report],
        wanted: frozenset[str],
    ) -> None:
        """Write the pages of minions among some pages."""
        pages = plan_pages(session.report)
        ranks = {one.number for one in pages if one.kind in MINION_PAGES and one.uri in wanted}
        if not ranks:
            return
        session.learn(sorted(ranks))
        report = make_report(session.report)
        written = dict(one for rank in sorted(ranks) for one in self._write_minion(report, rank))
        if self._publish(written, session.store):
            self.on_written()

    def _write_minion(self, report: Report, rank: int) -> Iterator[tuple[str, bytes]]:
        """Yield the files about a minion, address and content; pages keep their frames."""
        for page in report.pages_of(rank):
            content, target = report.write(page), self._site / page.uri
            before = target.read_bytes() if target.is_file() else b""
            head, begin, rest = before.partition(BEGIN)
            _, end, tail = rest.rpartition(END)
            if not begin or not end:  # a new minion, or another theme
                continue
            yield page.uri, b"".join((head, begin, encode(content), end, tail))
            for address, text in report.beside(page).items():
                yield address, encode(text)

    def _publish(self, files: Mapping[str, bytes], store: SecretStore) -> bool:
        """Put files into the site, and say whether that was done; not if they have a secret."""
        known = SecretIndex()
        known.follow(store)
        known.refuse(STAND_IN, "unanswered")
        with TemporaryDirectory(dir=self._site.parent) as folder:
            for address, data in files.items():
                file = Path(folder) / address
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            if find_leaks(Path(folder), known):
                return False
            for address in files:
                (Path(folder) / address).replace(self._site / address)
        return bool(files)

    def _read(self) -> dict[str, bytes]:
        """Return the remembered pages by their addresses, as they are in the site now."""
        pages = {address: self._site / address for address in list(self._seen)}
        return {address: page.read_bytes() for address, page in pages.items() if page.is_file()}
