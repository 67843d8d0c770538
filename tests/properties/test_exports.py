"""Laws of tables: whatever a pillar holds, it is written, and read back as what it is."""

import base64
import datetime as dt
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.exports import as_csv, read_csv, read_sqlite
from tests.support.tiers import fewer

from pillarbook.export.cells import write_leaf, write_name
from pillarbook.export.csv_file import write_csv
from pillarbook.export.searched import SecretGate
from pillarbook.export.sqlite_file import SqliteFile
from pillarbook.redact import Redacted, RedactedLeaf, RedactedOrigin

HOSTILE = st.lists(
    st.sampled_from(
        ["\0", "\ud800", "\udcff", "'", '"', ",", "\n", "\r", "=", "-", "\\x00", "é", "a"]
    ),
    max_size=5,
).map("".join)
TEXTS = HOSTILE | st.text(st.characters(exclude_categories=()), max_size=4)
SCALARS = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers() | st.sampled_from([10**4299, -(10**4299), 2**63, -(2**63) - 1]),
    st.floats(),
    st.dates(),
    st.datetimes().map(lambda time: time.replace(fold=0)),
    st.binary(max_size=4),
    st.frozensets(st.integers(), max_size=2).map(set),
    st.sampled_from([{}, []]),
    st.just(Redacted("key names a secret", 1)),
)
KEYS = st.lists(TEXTS | st.integers() | st.booleans() | st.dates(), min_size=1, max_size=3)
ORIGINS = st.builds(
    RedactedOrigin,
    file=TEXTS,
    line=st.none() | st.integers(1, 9),
    sls=st.none() | TEXTS,
    saltenv=st.none() | TEXTS,
    value=SCALARS,
)
LEAVES = st.builds(
    RedactedLeaf,
    path=KEYS.map(tuple),
    value=SCALARS,
    origins=st.lists(ORIGINS, max_size=3).map(tuple),
)


def read_cell(row: dict[str, Any]) -> Any:
    """Return the value of a row."""
    kind, text = row["type"], row["value"]
    if kind in {"text", "null"}:
        return text
    if kind == "date":
        return dt.date.fromisoformat(text)
    if kind == "datetime":
        return dt.datetime.fromisoformat(text)
    if kind == "bytes":
        return base64.b64decode(text)
    if kind == "secret":
        assert (text, row["token"]) == (None, "token 1")
        return Redacted(row["reason"], 1)
    read: Any = float(text) if text in {"inf", "-inf", "nan"} else json.loads(text)
    return set(read) if kind == "set" else read


@fewer(2)
@given(st.lists(LEAVES, max_size=5))
@example([RedactedLeaf(("a",), "\0=1", ())])
@example([RedactedLeaf(("=1", 2, True), "-1", ()), RedactedLeaf(("b",), -1, ())])
def test_values_are_read_back_as_what_they_are(leaves: list[RedactedLeaf]) -> None:
    rows = [row for leaf in leaves for row in write_leaf(leaf, lambda place: f"token {place}")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = SqliteFile(folder / "x.sqlite", SecretGate(None))
        file.add_rows("minion_ids", [(0, "m")])
        file.add_rows("environment_ids", [(0, "e")])
        file.add_rows("minion_parts", [(0, 0, 0, 0)])
        file.add_rows("part_rows", ((0, at, *row) for at, row in enumerate(rows)))
        file.finish()
        with (folder / "x.zip").open("wb") as out:
            write_csv(out, file.connection, SecretGate(None))
        file.close()
        tables, archive = read_sqlite(folder / "x.sqlite"), read_csv(folder / "x.zip")
    for table in ("values", "overridden_values"):
        assert archive[table] == [as_csv(row) for row in tables[table]]
    found = tables["values"]
    assert len(found) == len(leaves)
    for row, leaf in zip(found, leaves, strict=True):
        assert same(read_cell(row), leaf.value)
        assert row["overridden"] == max(len(leaf.origins) - 1, 0)
    before = [origin for leaf in leaves for origin in reversed(leaf.origins[:-1])]
    for row, origin in zip(tables["overridden_values"], before, strict=True):
        assert same(read_cell(row), origin.value)
        assert (row["file"], row["line"]) == (write_name(origin.file), origin.line)


def same(read: Any, value: Any) -> bool:
    """Compare types, too, and nan with itself."""
    if isinstance(value, set):  # of two equal sets, one may be in another order
        return isinstance(read, set) and sorted(read) == sorted(value)
    return read.__class__ is value.__class__ and repr(read) == repr(value)


@given(TEXTS)
def test_names_can_be_held_by_tables(text: str) -> None:
    written = write_name(text)
    assert "\0" not in written
    assert written.encode("utf-8").decode("utf-8") == written
    if "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert written == text
