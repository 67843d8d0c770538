"""What a comment may be made of, and what no comment gets past the check with."""

from pathlib import Path

import pytest
from checked_text import MAX_BYTES, check_text
from faults import RefusedError
from tests.support.fleets import write_files
from tests.support.invoked import print_of
from tests.support.repositories import commit_all, git

from pillarbook.report.markdown_text import write_code, write_words

LINK = "https://github.example/shop/pillar/actions/runs/77"


@pytest.mark.parametrize(
    "text",
    [
        "### Pillar: no change on 3 minions\n3 unchanged · base a1b2c3d\n",
        f"base a · [full report]({LINK})",
        "#### Changed: both of `web*`\nbecause of `../pillar/web.sls:1`\n",
        "```diff\n- a:b: 4\n+ a:b: 8\n! c: order of keys changed\n    d\n```",
        "`` a`b `` and ``` `` ```",
        r"\@&#8203;ops \<b\> \[x\]\(y\)",
        "> a note",
        "- one\n- two",
        "3 minions: `a` <details><summary>2 more</summary>`b`, `c`</details>",
        "<details><summary>4 minions fail as before (1 only in its states)</summary>\n\nx\n</details>",
        "<details><summary>12 minions</summary>\n\n`a`\n\n</details>\n",
        "`@ops #1 https://evil.example <b> [x](y) \\`",
        "secret changed (token 7f3a → 91c0)",
        "**1 more change is left out to keep this short**",
        "`a\tb`",
        "<details><summary>1 line</summary>\n\n```diff\n+ a: @ops <b> `c`\n```\n</details>",
        "````diff\n+ a: ```\n````",
    ],
)
def test_what_pillarbook_writes_stays_as_it_is(text: str) -> None:
    assert check_text(text, LINK) == text


@pytest.mark.parametrize(
    ("text", "posted"),
    [
        ("ask @ops", "ask @&#8203;ops"),
        (r"ask \@ops", r"ask \@&#8203;ops"),
        (r"a \\@ops", r"a \\@&#8203;ops"),
        ("see #12, other/repo#3", "see #&#8203;12, other/repo#&#8203;3"),
        ("https://evil.example", "https:&#8203;//evil.example"),
        (r"https\:\/\/evil.example", r"https\:&#8203;\/\/evil.example"),
        ("WWW.evil.example", "WWW&#8203;.evil.example"),
        (r"www\.evil.example", r"www&#8203;\.evil.example"),
        ("mailto:x", "mailto&#8203;:x"),
        ("$x$ ~1 !2", r"\$x\$ \~1 \!2"),
        (r"\\$x", r"\\\$x"),
        ("`a`@ops", "`a`@&#8203;ops"),
        ("# Title", "#&#8203; Title"),
    ],
)
def test_what_a_service_would_link_is_cut_apart(text: str, posted: str) -> None:
    assert check_text(text, LINK) == posted
    assert check_text(posted, LINK) == posted


@pytest.mark.parametrize(
    "text",
    [
        "[full report](https://evil.example)",
        f"[full report]({LINK}/../../evil)",
        f"[full report]({LINK} 'title')",
        f"![full report]({LINK}x)",
        "[a][b]",
        "[b]: https://evil.example",
        "<https://evil.example>",
        "<img src=x>",
        "<b>bold</b>",
        "<!-- x -->",
        "<details open>",
        "&#64;ops",
        "&commat;ops",
        "a `code",
        "a ``code`",
        "`a\nb`",
        "a \\`b`",
        "a \\",
        "a \\b",
        "<details>\n`<img src=x>`\n</details>",
        "- <details>\n\n`a`\n\n</details>",
        "1. <details>\\<img src=x\\></details>",
        "1. - <summary>a</summary>`<img src=x>`",
        "<details>",
        "</details>\n\n<details>",
        "<summary>www.evil.example</summary>",
        "<summary>`a`</summary>",
        "a | b\n--- | ---",
        "`a`\n:-:\n`<img src=x>|`",
        "a\n===",
        "/close",
        "  /approve",
        "a\rb",
        "a\u2028b",
        "a\u202eb",
        "a\u200bb",
        "a\x00b",
        "a\ud800b",
        "> > a",
        "```diff\n+ a",
        "```diff\n+ a\n````",
        "```diff\n/close\n```",
        "```diff\n+ ```\n```",
        "```diff\n<img src=x>\n```",
        "```diff\n+ a\u202eb\n```",
        "```\n+ a\n```",
        "   ```diff\n+ a\n   ```",
        "<details>\n```diff\n+ a\n```\n</details>",
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(RefusedError) as raised:
        check_text(text, LINK)
    assert "evil" not in str(raised.value)


def test_lengths() -> None:
    assert check_text("a" * MAX_BYTES, LINK)
    for text in ("a" * (MAX_BYTES + 1), "ä" * (MAX_BYTES // 2 + 1), "@" * MAX_BYTES):
        with pytest.raises(RefusedError, match="more than"):
            check_text(text, LINK)


HOSTILE = [
    "@ops",
    "`@ops`",
    "``",
    "a`b``c",
    "<img src=x onerror=y>",
    "<!-- x -->",
    "[x](https://evil.example)",
    "![x](https://evil.example)",
    "https://evil.example www.evil.example a@b.example",
    "#1 GH-1 a/b#2",
    "\\",
    "\\`",
    "|a|b|",
    "---",
    "/close\n/approve",
    "a\nb\r\nc",
    "\u202e\u200b\x00\x1b",
    "$x$ ~1 !2 %3 &4",
    "&#64;ops",
    "</details>",
    "",
    " ",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_pillarbook_escapes_passes(text: str) -> None:
    for written in (write_code(text), f"### a {write_words(text)}", f"\n{write_code(text)} b\n"):
        assert check_text(written, LINK)


def test_a_comparison_with_hostile_texts_everywhere_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    quoted = [text.replace("'", "''") for text in HOSTILE if text.isprintable() and text.strip()]
    git(tmp_path, "init", "--quiet")
    for mark, fault in (("1", "{}"), ("2", "{{ 1 / 0 }}")):
        keys = "".join(f"'{text}': {{'{text}': '{mark}{text}'}}\n" for text in quoted)
        minions = "".join(f"  '{text}': {{grains: {{'{text}': '{text}'}}}}\n" for text in quoted)
        write_files(
            tmp_path,
            {
                "master": "pillar_roots: {base: [.]}\n",
                "minions.yml": f"minions:\n  w: {{}}\n  x: {{}}\n{minions}",
                "top.sls": "base: {'*': [a], x: ['<b>@ops'], w: ['a#1 &64;']}\n",
                "a.sls": keys,
                "a#1 &64;.sls": f"a: {mark}\n# {mark}\n",
                "<b>@ops.sls": fault,
                "unused [x](y).sls": mark,
            },
        )
        commit_all(tmp_path)
        saved = ["compile", *DECLARED, "--format", "result", "--output", f"{mark}.json"]
        print_of(saved)
    for sides in (["1.json", "2.json"], [*DECLARED, "HEAD~1", "HEAD"]):
        for limit in ("1000", "2500", "60000"):
            words = ["diff", *sides, "--format", "markdown", "--limit", limit]
            written = print_of([*words, "--report-url", LINK])
            assert len(written) > 300
            assert check_text(written, LINK)


DECLARED = ["--master", "master", "--inventory", "minions.yml"]
