"""What a later push changes that the earlier comment did not have."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import new_changes
import pytest
from tests.ci.posting import HEAD, RUN, post_on_github, pull, result
from tests.ci.pulls import check_out, of_pull, open_pull, run_action
from tests.ci.service import BOT, Service, pack, serve

OLD = "b" * 40
A, B, C = (f"c-{letter * 16}" for letter in "abc")
WHAT = {A: "app:port 80 → 81, on web1", B: "app:`x` 1 → 2, on web1", C: "ntp added: 3, on db1"}


def listed(*ids: str, more: tuple[str, ...] = ()) -> str:
    """Return a comment that lists ids."""
    lines = [*(f"  - {one}  # {WHAT[one]}" for one in ids), *more]
    block = "\n".join(("```diff", *lines, "```"))
    heading = "<details><summary>Change ids</summary>"
    return (
        f"### Pillar: changes\ncounts\n\n#### Changed: `web1`\n\n{heading}\n\n{block}\n</details>\n"
    )


def posted(text: str, commit: str = OLD) -> str:
    return f"<!-- pillarbook: pillar -->\n{text}\nCommit {commit}\n"


def show(text: str, earlier: str, head: str = HEAD, most: int = 65_000) -> str:
    return new_changes.show_new(text, head, earlier, most)


def section_of(text: str) -> str:
    found = re.search(r"\n(#### New since .*?)\n\n#### Changed", text, re.DOTALL)
    return found[1] if found else ""


def test_what_is_new_has_a_section() -> None:
    text = listed(A, C)
    shown = show(text, posted(listed(A, B)))
    assert section_of(shown) == (
        f"#### New since `bbbbbbb`: 1 of 2 changes, 1 no longer\n\n```diff\n+ {WHAT[C]} ({C})\n```"
    )
    first, rest = text.split("\n\n", 1)
    assert shown.startswith(f"{first}\n\n#### New")
    assert shown.endswith(f"\n\n{rest}")  # nothing of the comment is taken away


@pytest.mark.parametrize(
    ("text", "earlier", "expected"),
    [
        pytest.param(
            listed(A),
            posted(listed(A)),
            "#### New since `bbbbbbb`: no changed value or state",
            id="same",
        ),
        pytest.param(listed(A), "", "", id="no earlier one"),
        pytest.param(listed(A), posted("### Pillar: not compared\n"), "", id="not compared"),
        pytest.param(listed(A), listed(A), "", id="no commit"),
        pytest.param(listed(A), posted(f"- {B}\n"), "", id="no list"),
        pytest.param(listed(A), posted(listed(A), "-->evil"), "", id="another form of commit"),
    ],
)
def test_when_there_is_a_section(text: str, earlier: str, expected: str) -> None:
    assert section_of(show(text, earlier)) == expected


def test_backticks_of_a_value_do_not_end_the_block() -> None:
    text = listed(A, B).replace(WHAT[B], "a ```` b").replace("```diff", "`````diff")
    text = text.replace("\n```\n", "\n`````\n")
    assert f"\n`````diff\n+ a ```` b ({B})\n`````\n" in show(text, posted(listed(A)))


def test_ids_that_did_not_fit_may_be_new() -> None:
    shown = show(listed(A, more=("! 3 more ids left out",)), posted(listed(A)))
    assert "! ids of further changes did not fit; they may be new\n" in shown


def test_a_second_run_for_a_commit_repeats_the_section() -> None:
    first = show(listed(A, C), posted(listed(A)))
    again = show(listed(A, C), posted(first, HEAD))
    assert again == first
    assert show(listed(A), posted(listed(A), HEAD)) == listed(A)


def test_a_section_without_room_counts_the_rest() -> None:
    text, earlier = listed(A, B, C), posted(listed())
    most = len(text) + 310
    shown = show(text, earlier, most=most)
    assert len(shown) <= most
    assert re.search(r"\n! [12] more\n", shown)


def test_a_list_in_a_block_of_code_is_none() -> None:
    """A line of a block begins with a sign, so a value cannot be the heading."""
    inside = "```diff\n  <details><summary>Change ids</summary>\n```\n"
    assert new_changes.read_ids(inside) is None
    assert new_changes.read_ids(f"```diff\n{listed(A)}\n```\n") is None


@pytest.fixture
def service() -> Iterator[Service]:
    with serve(Service(pulls=[pull()])) as opened:
        yield opened


def hand_over(service: Service, **changes: object) -> None:
    archive = pack(result(**changes))
    size = len(archive)
    service.artifacts = [
        {"id": 5, "name": "pillar-comment", "expired": False, "size_in_bytes": size}
    ]
    service.archives = {5: archive}


def test_only_a_comment_of_the_account_counts(service: Service, tmp_path: Path) -> None:
    forged = {"id": 1, "user": {"login": "mallory"}, "body": posted(listed(A))}
    service.comments = [forged]
    hand_over(service, markdown=listed(A))
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert "New since" not in service.comments[-1]["body"]


def test_a_later_push(service: Service, tmp_path: Path) -> None:
    body = posted(listed(A)).replace("\n", "\r\n")
    service.comments = [{"id": 1, "user": {"login": BOT}, "body": body}]
    hand_over(service, markdown=listed(A, C))
    assert post_on_github(service, tmp_path, RUN).code == 0
    (one,) = service.comments
    assert f"#### New since `bbbbbbb`: 1 of 2 changes\n\n```diff\n+ {WHAT[C]} ({C})" in one["body"]


def test_a_change_without_effect_is_not_told_unless_it_had_one(
    service: Service, tmp_path: Path
) -> None:
    nothing = "### Pillar: no change on 3 minions\n3 unchanged\n"
    hand_over(service, state="unchanged", markdown=nothing)
    done = post_on_github(service, tmp_path, RUN)
    assert (done.code, service.wrote()) == (0, [])
    assert done.log.startswith("nothing to post: no minion changes")
    service.comments = [{"id": 1, "user": {"login": BOT}, "body": posted(listed(A, B))}]
    assert post_on_github(service, tmp_path, RUN).code == 0
    (one,) = service.comments
    section = "\n#### New since `bbbbbbb`: no changed value or state, 2 no longer\n"
    assert one["body"] == posted(f"{nothing}{section}", HEAD)


@pytest.mark.parametrize(
    ("earlier", "is_kept"),
    [
        pytest.param(posted(listed(A), HEAD), True, id="of this commit"),
        pytest.param(posted(listed(A)), False, id="of an older commit"),
        pytest.param(posted("### Pillar: not compared\n", HEAD), False, id="no good one"),
    ],
)
def test_a_second_run_after_the_artifact_expired(
    earlier: str, service: Service, tmp_path: Path, *, is_kept: bool
) -> None:
    service.comments = [{"id": 1, "user": {"login": BOT}, "body": earlier}]
    hand_over(service, markdown=listed(A))
    service.artifacts[0]["expired"] = True
    assert post_on_github(service, tmp_path, RUN).code == 0
    (one,) = service.comments
    assert (one["body"] == earlier) is is_kept
    assert is_kept or "### Pillar: not compared" in one["body"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("change", "state"),
    [
        pytest.param({"pillar/web.sls": "workers: 8\n"}, "compared", id="a change"),
        pytest.param({"pillar/web.sls": "# four\nworkers: 4\n"}, "unchanged", id="no effect"),
        pytest.param({"README": "x"}, "unchanged", id="another file"),
    ],
)
def test_what_the_job_hands_over(change: dict[str, str], state: str, tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin", change)
    work = check_out(pull, tmp_path / "work", pull.merge)
    done = run_action(work, tmp_path / "home", **of_pull(pull), PILLAR_CONFIGURATION="head")
    found = json.loads((done.out / "comment" / "comment.json").read_text())
    assert found["state"] == state
    ids = new_changes.read_ids(found["markdown"])
    told = "workers 4 → 8, on both of web*"
    assert ([*ids.entries.values()] if ids else []) == ([told] if state == "compared" else [])
