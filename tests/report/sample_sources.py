"""What a book made by hand says of its files and of itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pillarbook.redact.source_files import (
    ImportedFile,
    JudgedLines,
    MaskedLine,
    MinionRenders,
    SourceFile,
)
from pillarbook.report.about_report import AboutReport


class SampleAbout:
    """What a report is of, without a repository."""

    def describe(self) -> AboutReport:
        return AboutReport(commit=None, time="2026-01-31T12:00:00Z")


@dataclass
class SampleFiles:
    """The files of a commit that are given, by name, each with its path."""

    commit: str | None = None
    paths: Mapping[str, str] = field(default_factory=dict)

    def path_of(self, file: str) -> str | None:
        return self.paths.get(file)


@dataclass
class SampleSources:
    """Files that are given, with their lines as they are shown."""

    texts: Mapping[SourceFile, Sequence[MaskedLine]] = field(default_factory=dict)
    rendered: Mapping[str, MinionRenders] = field(default_factory=dict)
    """What was rendered for minions; nothing for those that it leaves out."""
    secret: Sequence[tuple[str, int]] = ()

    def files(self) -> list[SourceFile]:
        return [one for one in self.texts if one.is_sls]

    def find(self, file: str) -> SourceFile | None:
        return next((one for one in self.texts if one.file == file), None)

    def find_imported(self, imported: ImportedFile) -> SourceFile | None:
        return self.find(imported.file)

    def forget(self) -> None:
        """Forget nothing: all is given."""

    def renders(self, minion: str) -> MinionRenders:
        return self.rendered.get(minion, MinionRenders((), ()))

    def secret_lines(self) -> Sequence[tuple[str, int]]:
        return self.secret

    def mask(
        self, lines: Mapping[str, JudgedLines]
    ) -> Iterator[tuple[str, tuple[MaskedLine, ...]]]:
        for one, text in self.texts.items():
            if one.file in lines:
                yield one.file, tuple(text)
