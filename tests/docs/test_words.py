"""What people read is plain English: a short list of phrases stays out of it.

`site_src/guide/words.md` has the words of the interface. The phrases here are those that made
readers look twice: an old verb for a common one, a question turned into a noun, a riddle.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, all_pages, read_first_cells, read_prose

PACKAGE = ROOT / "generator" / "pillarbook"
WORDS = ROOT / "site_src" / "guide" / "words.md"
BANNED = re.compile(
    r"\b(?:"
    r"befall\w*|befell|thereof|of old|as it were|(?:and|or) (?:its|their|the) kin"
    r"|what bec[ao]mes? of|became another|comes and goes|comes? to nothing"
    r"|where nobody|nobody asks|there is nothing to|is no matter"
    r"|is nowhere|(?:is|are) not there(?! is)|(?:is|are) there to"
    r"|(?:is|are) told of|tells? (?:of|that)"
    r"|stands? (?:here|there|below|beside|in the tree|as plain text)"
    r"|names nothing that is declared|in the order in which it pays"
    r"|put away|for want of"
    r"|brings? it here|breaks off at|it is to be|is no (?:yaml|url)|lies nowhere"
    r"|made anew|in the place of|takes (?:the|this) file for"
    r"|equality not told|is no finding|meant so"
    r")\b",
    re.IGNORECASE,
)
NOT_READ = {ROOT / "CHANGELOG.md"}
"""Pages that keep the words of their time."""


def find(text: str) -> list[str]:
    """Return the banned phrases of a text, with what is around them."""
    flat = re.sub(r"\s+", " ", text)
    return [flat[max(0, hit.start() - 30) : hit.end() + 20] for hit in BANNED.finditer(flat)]


PAGES = [page for page in all_pages() if page not in NOT_READ]
TEMPLATES = sorted(
    file
    for file in (ROOT / "templates").rglob("*")
    if file.suffix in {".html", ".js", ".yml", ".xml", ".css"}
)


def test_pages_are_plain() -> None:
    for page in PAGES:
        assert find(read_prose(page)) == [], page


def test_templates_are_plain() -> None:
    assert [hit for file in TEMPLATES for hit in find(file.read_text())] == []


def test_the_example_is_plain() -> None:
    for file in (ROOT / "example").rglob("*"):
        if file.is_file() and file.suffix in {".sls", ".yml", ".yaml", ".jinja", ""}:
            assert find(file.read_text()) == [], file


def texts(file: Path) -> Iterator[str]:
    """Yield a module's strings and comments; those that follow each other are one text."""
    kept, last = "", 0
    with io.BytesIO(file.read_bytes()) as source:
        for token in tokenize.tokenize(source.readline):
            if token.type in {tokenize.NL, tokenize.NEWLINE}:
                continue
            is_comment = token.type == tokenize.COMMENT
            is_text = is_comment or tokenize.tok_name[token.type] in {"STRING", "FSTRING_MIDDLE"}
            if not is_text or token.start[0] > last + 1:
                yield kept
                kept = ""
            if is_text:
                kept += " " + token.string.lstrip("# ") if is_comment else bare(token.string)
                last = token.end[0]
    yield kept


def bare(literal: str) -> str:
    """Return a string literal without its quotes."""
    return re.sub(r"^[a-zA-Z]*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$", "", literal)


def may_hit(file: Path) -> bool:
    """Say quickly whether a module may have a banned phrase, also across lines."""
    joined = re.sub(r"""["']\s*[bfr]*["']""", "", file.read_text())
    return BANNED.search(re.sub(r"""["'#\s]+""", " ", joined)) is not None


def hits(package: str) -> list[str]:
    """Return the banned phrases of a package; the root's own modules are one."""
    root = PACKAGE if package == "." else PACKAGE / package
    files = root.glob("*.py") if package == "." else root.rglob("*.py")
    return [
        f"{file.relative_to(PACKAGE)}: {hit}"
        for file in sorted(files)
        if may_hit(file)
        for text in texts(file)
        for hit in find(text)
    ]


PACKAGES = [".", *sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_code_is_plain(package: str) -> None:
    assert hits(package) == []


def test_the_search_finds_phrases_across_lines(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text('x = (\n    "it befal"\n    "ls all"\n)\n# what became\n# of it\n')
    assert may_hit(file)
    found = [hit.strip() for text in texts(file) for hit in find(text)]
    assert found == ["it befalls all", "what became of it"]


def test_the_glossary_explains_each_word_once() -> None:
    cells = read_first_cells(WORDS.read_text())
    words = [word.strip() for cell in cells for word in cell.split(",")]
    assert len(words) > 30
    assert sorted(set(words)) == sorted(words)
