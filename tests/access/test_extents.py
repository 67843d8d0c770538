"""Which lines a value takes up, by how far in they stand."""

import pytest

from pillarbook.access.value_ages import find_extent

CASES = {
    "one line": ("a: 1\nb: 2\n", 1, 1),
    "the last line": ("a: 1\nb: 2", 2, 2),
    "block scalar": ("a: |\n  one\n\n  two\nb: 2\n", 1, 4),
    "block scalar before an empty line": ("a: |\n  one\n\nb: 2\n", 1, 2),
    "nested": ("x:\n  a: |\n    one\n  b: 2\n", 2, 3),
    "plain text of two lines": ("x:\n  a: one\n    two\n  b: 2\n", 2, 3),
    "first key of a member": ("x:\n  - a: |\n      one\n    b: 2\n", 2, 3),
    "later key of a member": ("x:\n  - a: 1\n    b: |\n      one\n  - a: 2\n", 3, 4),
    "member": ("x:\n  - |\n    one\n    two\n  - 2\n", 2, 4),
    "member of a member": ("x:\n  - - |\n      one\n    - 2\n", 2, 3),
    "quoted key": ("x:\n  'a: b': |\n    one\n  c: 1\n", 2, 3),
    "key with blanks": ("x:\n  a : |\n    one\n  c: 1\n", 2, 3),
    "tabs": ("x:\n\ta: |\n\t\tone\n\tb: 1\n", 2, 3),
    "JSON": ('{\n  "a": "1",\n  "b": "2"\n}\n', 2, 2),
    "a function": ("def run():\n    a = 1\n\n    return {}\n\nx = 1\n", 1, 4),
}


@pytest.mark.parametrize(("text", "first", "last"), CASES.values(), ids=CASES)
def test_extent(text: str, first: int, last: int) -> None:
    assert find_extent(text.splitlines(), first) == (first, last)
