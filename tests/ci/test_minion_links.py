"""Links from a comment's minions to the report: where they are, and what cannot become one."""

from pathlib import Path

import pytest
from checked_text import MAX_CHARACTERS
from faults import PostingError
from minion_links import ID, check_address, link_minions
from tests.ci.posting import HEAD, RUN, post_on_github, pull, result
from tests.ci.pulls import LINK
from tests.ci.service import Service, pack, serve

from pillarbook.report.slug import slug

REPORT = "https://pages.example/pillar/"
WEB1 = f"[`web1.example.com`]({REPORT}minions/web1.example.com.html)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#### Changed: `web1.example.com`", f"#### Changed: {WEB1}"),
        ("#### Changed: both of `web*`", None),
        ("#### Changed: all 4 of `os:Debian`, all except `web1.example.com`", "except"),
        ("#### Lost everything from a target: `web1.example.com`", "target"),
        ("#### New: `web1.example.com`", None),
        ("#### New since `a1b2c3d`: 1 of 2 changes", None),
        ("because of `web1.example.com`", None),
        ("```diff\n  #### Changed: `web1.example.com`\n```", None),
        ("#### Changed: `` web1`x ``", None),
        ("#### Changed: `index`", None),
        ("#### Changed: `con.example`", None),
        ("#### Changed: `../evil`", None),
        ("#### Changed: `Web1`", None),
    ],
)
def test_minions_of_headings(text: str, expected: str | None) -> None:
    linked = link_minions(text, REPORT)
    assert linked == (text if expected is None else text.replace("`web1.example.com`", WEB1))


def test_minions_of_a_folded_list() -> None:
    text = "<details><summary>4 minions</summary>\n\n`web1.example.com` `db1`\n</details>\n`db1`"
    db1 = f"[`db1`]({REPORT}minions/db1.html)"
    assert link_minions(text, REPORT).split("\n")[2:] == [f"{WEB1} {db1}", "</details>", "`db1`"]


@pytest.mark.parametrize("name", ["web1", "a.b-c_d", "index", "nul.txt", "a..b", "a.", "x" * 101])
def test_the_file_is_that_of_the_report(name: str) -> None:
    linked = link_minions(f"#### Changed: `{name}`", REPORT)
    assert (f"minions/{slug(name)}.html" in linked) == (slug(name) == name)
    assert bool(ID.fullmatch(f"`{name}`")) or "](" not in linked


def test_there_is_no_link_without_room_or_address() -> None:
    heading = "#### Changed: `web1.example.com`"
    full = heading + "\n" + "x" * (MAX_CHARACTERS - len(heading) - 10)
    assert link_minions(full, REPORT) == full
    assert link_minions(heading, "") == heading


@pytest.mark.parametrize(
    "address",
    ["javascript:x", "https://a.example/x)y", "https://a b", "//a", "https://a.example/../b"],
)
def test_addresses_that_are_refused(address: str) -> None:
    with pytest.raises(PostingError):
        check_address(address)
    assert check_address("https://a.example/b") == "https://a.example/b/"


def test_the_comment_on_github(tmp_path: Path) -> None:
    archive = pack(result(markdown=f"[full report]({LINK})\n#### Changed: `web1.example.com`\n"))
    with serve(Service(pulls=[pull()])) as service:
        size = len(archive)
        service.artifacts = [
            {"id": 5, "name": "pillar-comment", "expired": False, "size_in_bytes": size}
        ]
        service.archives = {5: archive}
        done = post_on_github(service, tmp_path, RUN, PILLAR_REPORT_URL=REPORT)
        assert done.code == 0
        body = service.comments[0]["body"]
        assert f"#### Changed: {WEB1}\n\nCommit {HEAD}" in body
        assert f"[full report]({LINK}) · [published report]({check_address(REPORT)})\n" in body
        assert post_on_github(service, tmp_path, RUN, PILLAR_REPORT_URL="x)").code == 1
