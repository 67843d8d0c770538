"""The tables with summaries of the fleet, after every minion was recorded."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pillarbook import __version__
from pillarbook.compare.diff import Diff
from pillarbook.diagnostics import Diagnostic
from pillarbook.export.cells import (
    TokenOf,
    write_key,
    write_name,
    write_optional_name,
    write_place,
    write_value,
)
from pillarbook.export.tables import SCHEMA, Cell, Row
from pillarbook.model import to_tagged
from pillarbook.redact import Redacted
from pillarbook.redact.redacted_json import to_json
from pillarbook.report.about_report import SALT
from pillarbook.report.secret_access import FleetSecrets
from pillarbook.report.source import NotCompared, ReportSource
from pillarbook.roots.history import LineAge

Ages = Mapping[tuple[str, int], LineAge]


def list_about(source: ReportSource, diff: Diff | NotCompared | None) -> Iterator[Row]:
    """Yield facts about the export, without the time of the run, which would change the bytes."""
    yield "schema", SCHEMA
    yield "pillarbook", __version__
    yield "salt", SALT
    commit = source.about.describe().commit
    if commit is not None:
        yield "commit", commit.id
        yield "commit_time", commit.time
        yield "branch", write_optional_name(commit.branch)
        yield "uncommitted_changes", "yes" if commit.is_modified else "no"
    if isinstance(diff, NotCompared):
        yield "not_compared", write_name(f"{diff.base}: {diff.reason}")
    elif diff is not None:
        yield "compared_with", write_name(diff.base)


def list_secrets(found: FleetSecrets, ages: Ages, token: TokenOf) -> Iterator[Row]:
    """Yield the secrets, one row for each source of a secret."""
    for secret in found.secrets:
        for source, minions in secret.sources:
            age = None if source.line is None else ages.get((source.file, source.line))
            yield (
                secret.number,
                write_key(secret.path),
                token(secret.secret_id),
                write_name(source.reason),
                *write_place(source),
                minions,
                None if age is None else age.date,
                None if age is None else age.commit,
            )


def list_readers(found: FleetSecrets) -> Iterator[Row]:
    """Yield the readers of secrets: a row for each minion and secret."""
    for readers in found.readers:
        for minion in readers.minions:
            for secret in readers.secrets:
                yield secret, write_name(minion)


def list_diagnostics(diagnostics: Iterable[Diagnostic]) -> Iterator[Row]:
    """Yield all findings, worst first."""
    for number, one in enumerate(diagnostics):
        yield (
            number,
            one.code,
            str(one.severity),
            write_name(one.message),
            None if one.position is None else write_name(one.position.file),
            None if one.position is None else one.position.line,
            None if one.path is None else write_key(one.path),
            write_optional_name(one.help),
            len(one.minions),
        )


def list_affected(groups: Iterable[Sequence[str]]) -> Iterator[Row]:
    """Yield the number of each group of minions, counted from 0, with each of them."""
    for number, minions in enumerate(groups):
        for minion in minions:
            yield number, write_name(minion)


def list_changes(diff: Diff, token: TokenOf) -> Iterator[Row]:
    """Yield what has changed since the revision that the configuration names."""
    for number, atom in enumerate(diff.atoms):
        change = atom.change
        origin = change.after_origin or change.before_origin
        yield (
            number,
            change.kind,
            write_key(change.path),
            *_write_side(change.before, token, is_there=change.kind != "added"),
            *_write_side(change.after, token, is_there=change.kind != "removed"),
            None if origin is None else write_name(origin.file),
            None if origin is None else origin.line,
            int(atom.ignored is not None or atom.consequence_of is not None),
            len(atom.minions),
        )


def _write_side(value: Any, token: TokenOf, *, is_there: bool) -> tuple[Cell, Cell]:
    """Return the value of one side, and its token; a container or list of keys is JSON."""
    if not is_there:
        return None, None
    if isinstance(value, Redacted):
        return None, token(value.secret_id)
    if isinstance(value, tuple):
        return _dump([to_tagged(key) for key in value]), None
    if isinstance(value, dict | list) and value:
        return _dump(to_json(value, token)), None
    return write_value(value)[0], None


def _dump(data: Any) -> str:
    return write_name(json.dumps(data, ensure_ascii=False))
