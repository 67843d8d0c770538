"""Text of a tree in Markdown: it means itself, and links and mentions nothing."""

import pytest

from pillarbook.report.markdown_text import write_code, write_words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ask @ops", r"ask \@&#8203;ops"),
        ("a@b.example", r"a\@&#8203;b\.example"),
        ("see #12", r"see \#&#8203;12"),
        ("https://x.example", r"https\:&#8203;\/\/x\.example"),
        ("WWW.x.example", r"WWW&#8203;\.x\.example"),
        ("web.sls:3: www root", r"web\.sls\:3\: www root"),
        ("key `@a` is *new*", r"key `@a` is \*new\*"),
        ("one ` tick", r"one \` tick"),
    ],
)
def test_words_link_nothing(text: str, written: str) -> None:
    assert write_words(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [("a", "`a`"), ("a`b", "`` a`b ``"), ("", "`  `"), ("a\nb", "`a b`"), ("\u202e", "`\\u202e`")],
)
def test_code_is_one_span(text: str, written: str) -> None:
    assert write_code(text) == written
