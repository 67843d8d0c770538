"""Filters that look at files, given a tree of them."""

from typing import Any

import pytest
from tests.compile.renderers.jinja.stand_ins import Trees

from pillarbook.compile.renderers.jinja.filters.files import file_filters, looks_binary
from pillarbook.compile.renderers.jinja.tree_files import OutsideTreesError


def tree() -> Trees:
    """Return files by full path."""
    return Trees({"/d/b.txt": "text\n", "/d/a.bin": "\0\1", "/d/none": ""})


@pytest.mark.parametrize(
    ("name", "path", "answer"),
    [
        ("is_text_file", "/d/b.txt", True),
        ("is_text_file", "/d/a.bin", False),
        ("is_text_file", "/d/none", True),
        ("is_text_file", "/d/nope", False),
        ("is_bin_file", "/d/a.bin", True),
        ("is_bin_file", "/d/b.txt", False),
        ("is_bin_file", "/d/nope", False),
        ("is_empty", "/d/none", True),
        ("is_empty", "/d/b.txt", False),
        ("is_empty", "/d/nope", False),
        ("list_files", "/d", ["/d", "/d/a.bin", "/d/b.txt", "/d/none"]),
        ("list_files", "/nope", ["/nope"]),
    ],
)
def test_tells_of_a_file(name: str, path: str, answer: Any) -> None:
    assert file_filters(tree)[name](path) == answer


def test_sums_a_file() -> None:
    file_hashsum = file_filters(tree)["file_hashsum"]
    assert file_hashsum("/d/none", form="md5") == "d41d8cd98f00b204e9800998ecf8427e"
    assert file_hashsum("/d/none").startswith("e3b0c44298fc1c14")
    with pytest.raises(ValueError, match="Invalid hash type: nope"):
        file_hashsum("/d/none", form="nope")
    with pytest.raises(FileNotFoundError):
        file_hashsum("/d/nope")


def test_looks_at_nothing_outside_of_the_tree() -> None:
    for name, given in (("file_hashsum", tree), ("list_files", tree), ("is_empty", lambda: None)):
        with pytest.raises(OutsideTreesError):
            file_filters(given)[name]("/outside/x")


@pytest.mark.parametrize(
    ("block", "is_binary"),
    [
        (b"", False),
        (b"plain", False),
        ("Zürich".encode(), False),
        ("é".encode()[:1], False),
        (b"\xff\xfe\xfd", True),
        (b"\x01\x02abcdef", False),
        (b"\x01\x02\x03abc", True),
        (b"GIT\0CRYPT", True),
    ],
)
def test_guesses_whether_bytes_are_text(block: bytes, is_binary: bool) -> None:
    assert looks_binary(block) is is_binary
