"""How much of the labelled table is judged rightly, from end to end.

The whole table is one fleet, compiled by one call of the command line, as it is in a user's tree:
what one minion's secret teaches about the others counts, too. Floors are what is reached; they are
raised when the rules get better, and never lowered. ``--all`` prints the figures by kind.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.redact.labelled_rows import Document, Row, read_documents
from tests.support.forked.commands import forked

RECALL = 0.99
"""Of the open part's secrets, the share that is hidden."""
PRECISION = 0.995
"""Of what is hidden in the open part, the share that is secret."""
EVIDENT = frozenset(("pgp", "private-key"))
"""Kinds that say what they are, and would flatter the recall."""


class Judged:
    """Rows, and whether each was hidden."""

    def __init__(self, rows: list[tuple[Row, bool]]) -> None:
        self.rows = rows

    @property
    def recall(self) -> float:
        """The share of the secrets that is hidden, without those that anybody recognises."""
        hidden = [hid for row, hid in self.rows if row.is_secret and row.kind not in EVIDENT]
        return sum(hidden) / len(hidden)

    @property
    def precision(self) -> float:
        """The share of what is hidden that is secret."""
        secret = [row.is_secret for row, is_hidden in self.rows if is_hidden]
        return sum(secret) / len(secret)

    @property
    def by_kind(self) -> Iterator[str]:
        """For each kind of secret how many are hidden, for each ordinary kind how many are shown."""
        for is_secret in (True, False):
            rows = [(row.kind, right) for row, right in self.rights if row.is_secret is is_secret]
            every, right = Counter(kind for kind, _ in rows), Counter(k for k, r in rows if r)
            for kind, count in every.most_common():
                what = "hidden" if is_secret else "shown"
                yield f"{kind:>20} {what} {right[kind]:>5} of {count:>5}  {right[kind] / count:7.1%}"

    @property
    def rights(self) -> Iterator[tuple[Row, bool]]:
        """The rows, and whether each was judged rightly."""
        return ((row, is_hidden == row.is_secret) for row, is_hidden in self.rows)


@pytest.fixture(scope="module")
def documents() -> tuple[Document, ...]:
    return read_documents()


@pytest.fixture(scope="module")
def shown(
    documents: tuple[Document, ...], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """Return what ``pillarbook compile`` prints of each document."""
    folder = tmp_path_factory.mktemp("labelled")
    write_tree(folder, documents)
    words = ("--master", "master", "--inventory", "minions.yml", "--output", "out.json")
    subprocess.run([forked(), "compile", *words], cwd=folder, check=True)
    printed: dict[str, Any] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return printed


@pytest.fixture(scope="module")
def judged(documents: tuple[Document, ...], shown: dict[str, Any]) -> dict[bool, Judged]:
    """Return the rows of the open part (False) and of the one held out (True)."""
    return {
        part: Judged(
            [
                (row, is_hidden(row, shown[document.minion]))
                for document in documents
                if document.is_held_out is part
                for row in document.rows
            ]
        )
        for part in (False, True)
    }


def write_tree(folder: Path, documents: tuple[Document, ...]) -> None:
    (folder / "pillar").mkdir()
    (folder / "master").write_text("pillar_roots: {base: [pillar]}\n")
    minions: dict[str, Any] = {document.minion: {} for document in documents}
    top = {"base": {minion: [minion] for minion in minions}}
    (folder / "minions.yml").write_text(dump({"minions": minions}))
    (folder / "pillar/top.sls").write_text(dump(top))
    for document in documents:
        text = f"#!yaml\n{dump(document.pillar)}"
        (folder / f"pillar/{document.minion}.sls").write_text(text, encoding="utf-8")


def dump(data: Any) -> str:
    """Return data as YAML; written in C, as in Python it takes longer than to compile it."""
    text: str = yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
    return text


def is_hidden(row: Row, pillar: Any) -> bool:
    """Say whether a row's value, or what is secret of it, is not to be seen where it stood."""
    key, value = find(pillar, row.path)
    if row.is_key:
        return bool(key != row.value)
    if isinstance(value, dict) and "redacted" in value:
        return True
    if row.is_secret and isinstance(value, str):
        return not any(secret in value for secret in row.secrets)
    return False


def find(pillar: Any, path: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the key and value at a path in tagged JSON."""
    key: Any = None
    for index in path:
        items = pillar
        if isinstance(pillar, dict):
            items = pillar["$map"] if "$map" in pillar else list(pillar.items())
            key, pillar = items[index]
        else:
            pillar = items[index]
    return key, pillar


def test_the_table_is_large(documents: tuple[Document, ...]) -> None:
    rows = [row for document in documents for row in document.rows]
    held_out = [row for document in documents if document.is_held_out for row in document.rows]
    assert sum(row.is_secret for row in rows) >= 300
    assert sum(not row.is_secret for row in rows) >= 3000
    assert len(held_out) >= 1200  # drawn once; what is added later is open


def test_what_is_shown_is_what_the_table_has(
    documents: tuple[Document, ...], shown: dict[str, Any]
) -> None:
    for document in documents:
        assert "_errors" not in shown[document.minion], document.minion
        for row in document.rows:
            if not row.is_secret and not is_hidden(row, shown[document.minion]):
                assert find(shown[document.minion], row.path)[1] == row.value, row.words


def test_open_part_is_judged_as_well_as_it_was(judged: dict[bool, Judged]) -> None:
    assert judged[False].recall >= RECALL
    assert judged[False].precision >= PRECISION


@pytest.mark.slow
@pytest.mark.parametrize("part", [False, True], ids=["open", "held out"])
def test_print_figures(
    judged: dict[bool, Judged], part: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = judged[part]
    assert 0 < figures.recall <= 1
    with capsys.disabled():
        name = "held out" if part else "open"
        head = f"{name}: recall {figures.recall:.1%}, precision {figures.precision:.1%}"
        sys.stdout.write("\n".join(["", head, *figures.by_kind, ""]))
