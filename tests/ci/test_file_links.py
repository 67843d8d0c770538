"""Links from a comment's files: which code becomes one, and what an author cannot make of it."""

import pytest
from checked_text import MAX_CHARACTERS
from file_links import link_files

FILES = "https://git.example/shop/pillar/blob/" + "a" * 40 + "/"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`pillar/web.sls:3` x", f"[`pillar/web.sls:3`]({FILES}pillar/web.sls#L3) x"),
        ("`minions.yml:10`", f"[`minions.yml:10`]({FILES}minions.yml#L10)"),
        (
            "a `master/x:1`, `b.sls:2`",
            f"a [`master/x:1`]({FILES}master/x#L1), [`b.sls:2`]({FILES}b.sls#L2)",
        ),
    ],
)
def test_a_file_and_line_is_a_link_to_the_commit(text: str, expected: str) -> None:
    assert link_files(text, FILES) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`pillar/web.sls:3` (before)",
        "`../web.sls:3`",
        "`a/../../b.sls:3`",
        "`/etc/passwd:1`",
        "`//evil.example/x:1`",
        "`a b/c.sls:1`",
        "`a/b.sls:0`",
        "`a/b)(javascript.sls:x`",
        "`https://evil.example:80`",
        "`app:8000`",
        "`` a`b.sls:1 ``",
        "pillar/web.sls:3",
        "```diff\n+ see `pillar/web.sls:3`\n```",
        "````diff\n+ ```\n+ `pillar/web.sls:3`\n````",
    ],
)
def test_nothing_else_is_a_link(text: str) -> None:
    assert link_files(text, FILES) == text
    assert link_files("`pillar/web.sls:3`", "") == "`pillar/web.sls:3`"


def test_links_never_make_a_comment_too_long() -> None:
    text = "`pillar/web.sls:3`\n" * 3_000
    linked = link_files(text, FILES)
    assert len(linked) <= MAX_CHARACTERS
    assert linked.startswith("[`pillar/web.sls:3`](")
    assert linked.endswith("`pillar/web.sls:3`\n")
