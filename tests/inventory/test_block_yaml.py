"""The fast reader of lines gives what PyYAML gives, or leaves the document to the other reader."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.inventory.test_yaml_stream import BROKEN, DOCUMENTS, TREES
from tests.support.tiers import fewer

from pillarbook.inventory.block_yaml import BlockYaml, UnusualYamlError
from pillarbook.inventory.yaml_stream import YamlStream


def read(text: str) -> Any:
    stream: Any = BlockYaml(text)
    value = stream.plain(stream.root())
    stream.finish()
    return value


def walk(stream: Any, cursor: Any, levels: int) -> Any:
    """Return a mapping's members with their lines, and what is below as the two forms of it."""
    if not stream.is_mapping(cursor):
        return stream.plain(cursor)
    members = stream.members(cursor)
    if levels:
        return [(key, line, walk(stream, below, levels - 1)) for key, line, below in members]
    return [
        (key, line, stream.located(below) if at % 2 else stream.plain(below))
        for at, (key, line, below) in enumerate(members)
    ]


def agrees(text: str, levels: int) -> bool:
    """Check that the document is read alike, and say whether the fast reader has read it."""
    try:
        stream = BlockYaml(text)
        found = walk(stream, stream.root(), levels)
        stream.finish()
        plain = read(text)
    except UnusualYamlError:
        return False
    other = YamlStream(text)
    assert repr(found) == repr(walk(other, other.root(), levels)), text
    other.finish()
    assert repr(plain) == repr(yaml.safe_load(text)), text
    return True


def test_reads_what_programs_write() -> None:
    for text in (
        "minions:\n  a:\n    grains:\n      os: Debian\n      ips:\n      - 10.0.0.1\n  b: {}\n",
        "---\n# about\na: 1 # one\n\nb:  # below\n    - x\n    - 'it''s'\nc: []\nd:\n",
        "a:\n- k: 1\n  l: 2\n- [1, 2]\n-\n  x\nb: {k: [1], l: {}}\n",
        'a: folded by\n  a writer\nb: |\n  # text\n\n  more\n\nc: "\\xE9"\nd: \u00e9\n',
        "'quoted key': yes\n1: 0755\ntwo words: fe80::1\n\"n\": 2020-01-31\nyes: -1.5\n",
        "a: 1\nb: 2\na: 3",
    ):
        assert all(agrees(text, levels) for levels in (0, 1, 3)), text


def test_leaves_other_documents_to_the_other_reader() -> None:
    for text in BROKEN.values():
        with pytest.raises(UnusualYamlError):
            read(text)
    for text in DOCUMENTS.values():
        agrees(text, 2)


PIECES = [
    *("", "# c", "x", "- y", "- ", "-", "? z", "k: |", "k: >-", "k: |+", "k: 'a", "b'", 'k: "q'),
    *("k: &x 1", "k: *x", "k: &x", "<<: {a: 1}", "k: !!set {x}", "k: !", "---", "...", "%YAML 1.1"),
    *(
        "\tk: 1",
        "k: [1,",
        "]",
        "k: [1, {b: 2}]",
        "k: {a: 1, a: 2}",
        "k:  # c",
        "k: a # c",
        "k: a#c",
    ),
    *("k: -", "k: - x", "two words: v w", "1: 2", "yes: no", "'q': 'it''s'", '"d": "x"', "k: a: b"),
    *("k: a:", "k:v", "k: ''", "- - 1", "- a: 1", "k: 0o7", "k: 1_0", "k: =", "k: <<", "k: a  b"),
    *(
        "k: 190:20",
        "k: \u00e9",
        "k:\u2028 x",
        "k: `x",
        "k: @x",
        "k: ,",
        "k: a,b",
        "k: -1",
        "k: -.5",
    ),
    *(
        "k: -x",
        "..: 1",
        "=: 1",
        "k: ?x",
        "k: :x",
        "k: a :b",
        "k: ~",
        "~: 1",
        "k: 1 ",
        "- k:",
        "k::",
    ),
    *("k", "l:", "m:", "n:", "l: w", "m: 1.5", "n: 2020-01-31", "- 'z'", "k: {}", "k: []", "- {}"),
]
LINES = st.tuples(st.integers(0, 4), st.sampled_from(PIECES))


@given(st.lists(LINES, max_size=9), st.integers(0, 2))
def test_never_reads_lines_otherwise(lines: list[tuple[int, str]], levels: int) -> None:
    agrees("top:\n" + "".join(f"{' ' * by}{text}\n" for by, text in lines), levels)


@fewer(10)
@given(st.dictionaries(st.text(max_size=4), TREES, max_size=4), st.sampled_from((20, 80)))
def test_never_reads_what_pyyaml_writes_otherwise(tree: Any, width: int) -> None:
    agrees(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=width), 2)
