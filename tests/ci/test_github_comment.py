"""The comment on a pull request: one, up to date, and nothing in it that a stranger chose."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.ci.posting import HEAD, RUN, TEXT, post_on_github, pull, result, run_on_github
from tests.ci.pulls import LINK
from tests.ci.service import BOT, HOME, TOKEN, Service, pack, serve

MARK = "<!-- pillarbook: pillar -->"
POSTED = f"{MARK}\n{TEXT}\nCommit {HEAD}\n"
COMMENTS = f"{HOME}/issues/9/comments"


@pytest.fixture
def service() -> Iterator[Service]:
    """Return GitHub with an open pull request, and with a result of its run."""
    with serve(Service(pulls=[pull()])) as opened:
        hand_over(opened, pack(result()))
        yield opened


def hand_over(service: Service, archive: bytes, **changes: Any) -> None:
    entry = {"id": 5, "name": "pillar-comment", "expired": False, "size_in_bytes": len(archive)}
    service.artifacts = [{**entry, **changes}]
    service.archives = {5: archive}


def test_it_is_posted_once_and_kept_up_to_date(service: Service, tmp_path: Path) -> None:
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert [one["body"] for one in service.comments] == [POSTED]
    nothing = "### Pillar: no change on 3 minions\n3 unchanged\n"
    hand_over(service, pack(result(markdown=nothing)))
    done = run_on_github(service, tmp_path, RUN)
    assert (done.code, done.log) == (0, "the comment on pull request 9 is up to date\n")
    (one,) = service.comments
    assert one["body"] == f"{MARK}\n{nothing}\nCommit {HEAD}\n"
    assert service.wrote() == [("POST", COMMENTS), ("PATCH", f"{HOME}/issues/comments/1")]


def test_files_are_links_to_the_commit(service: Service, tmp_path: Path) -> None:
    hand_over(service, pack(result(markdown="because of `pillar/web.sls:3`\n")))
    server = {"GITHUB_SERVER_URL": "https://git.example"}
    assert post_on_github(service, tmp_path, RUN, **server).code == 0
    link = f"https://git.example/shop/pillar/blob/{HEAD}/pillar/web.sls#L3"
    assert service.comments[0]["body"] == (
        f"{MARK}\nbecause of [`pillar/web.sls:3`]({link})\n\nCommit {HEAD}\n"
    )


def test_it_is_found_behind_many_and_by_its_author(service: Service, tmp_path: Path) -> None:
    forged = {"id": 1, "user": {"login": "mallory"}, "body": f"{MARK}\nforged"}
    quoted = {"id": 2, "user": {"login": BOT}, "body": f"> {MARK}\nquoted"}
    other = {"id": 3, "user": {"login": BOT}, "body": "<!-- pillarbook: other -->\nother"}
    gone = {"id": 4, "user": None, "body": None}
    crowd = [{**forged, "id": 10 + number} for number in range(230)]
    own = {"id": 999, "user": {"login": BOT}, "body": f"{MARK}\nold"}
    service.comments = [forged, quoted, other, gone, *crowd, own]
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert service.wrote() == [("PATCH", f"{HOME}/issues/comments/999")]
    assert own["body"] == POSTED


def test_reports_of_two_names_have_a_comment_each(service: Service, tmp_path: Path) -> None:
    service.artifacts.append({**service.artifacts[0], "name": "edge-comment"})
    for name in ("pillar", "edge", "pillar"):
        assert post_on_github(service, tmp_path, RUN, PILLAR_NAME=name).code == 0
    assert len(service.comments) == 2


@pytest.mark.parametrize(
    ("run", "pulls", "says"),
    [
        ({"conclusion": "cancelled"}, [pull()], "the run was cancelled"),
        ({"conclusion": "action_required"}, [pull()], "the run was action_required"),
        ({"event": "push"}, [pull()], "not for a pull request"),
        ({}, [], "no open pull request"),
        ({}, [{**pull(), "open": False}], "no open pull request"),
        ({}, [pull(sha="b" * 40)], "no open pull request"),
        ({}, [pull(repo=None)], "no open pull request"),
        ({}, [pull(repo={"full_name": "eve/pillar"})], "no open pull request"),
        ({"head_repository": None}, [pull()], "no open pull request"),
        ({}, [pull(), pull(8)], "several pull requests"),
    ],
    ids=[
        *("cancelled", "not approved", "push", "none", "closed", "moved on", "fork is gone"),
        *("another repository", "deleted repository", "two"),
    ],
)
def test_where_nothing_is_posted(
    service: Service,
    tmp_path: Path,
    run: dict[str, Any],
    pulls: list[dict[str, Any]],
    says: str,
) -> None:
    service.pulls = pulls
    done = post_on_github(service, tmp_path, {**RUN, **run})
    assert done.code == 0
    assert says in done.log
    assert not service.wrote()


def test_of_two_pull_requests_the_event_names_one(service: Service, tmp_path: Path) -> None:
    service.pulls = [pull(), pull(8)]
    run = {**RUN, "pull_requests": [{"number": 9}]}
    assert "pull request 9 is new" in post_on_github(service, tmp_path, run).log


@pytest.mark.parametrize("conclusion", ["success", "failure", "timed_out"])
def test_a_run_that_left_nothing_is_told(service: Service, tmp_path: Path, conclusion: str) -> None:
    service.artifacts = []
    run = {**RUN, "conclusion": conclusion}
    assert post_on_github(service, tmp_path, run).code == 0
    (one,) = service.comments
    assert one["body"].startswith(f"{MARK}\n### Pillar: not compared\n")
    assert f"[the run]({LINK})" in one["body"]


def archive(**files: bytes) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


REFUSED = {
    "no archive": b"evil",
    "an archive cut short": pack(result())[:-30],
    "an archive with a fault": pack(result()).replace(b"PK\x01\x02", b"PK\x01\x03"),
    "another file": pack(result(), "../comment.json"),
    "a second file": archive(comment_json=result(), evil_sh=b"evil"),
    "a bomb": pack(b" " * 30_000_000 + result()),
    "no JSON": pack(b"evil"),
    "deep JSON": pack(b"[" * 400_000),
    "no object": pack(b"[]"),
    "another schema": pack(result(schema="pillarbook.comment/2")),
    "another state": pack(result(state="evil")),
    "another type": pack(result(markdown=["evil"])),
    "a further field": pack(result(number=1)),
    "another commit": pack(result(head="b" * 40)),
    "a long text": pack(result(markdown="evil " * 13_000)),
    "markup": pack(result(markdown="<img src=evil>")),
    "a link": pack(result(markdown="[full report](https://evil.example)")),
    "half a character": pack(result(markdown="evil \ud800")),
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_not_posted(service: Service, tmp_path: Path, content: bytes) -> None:
    hand_over(service, content)
    done = post_on_github(service, tmp_path, RUN)
    assert done.code == 0, done.log
    assert "::warning::the result is not shown: " in done.log
    (one,) = service.comments
    assert one["body"].startswith(f"{MARK}\n### Pillar: not shown\n")
    assert "evil" not in one["body"] + done.log


@pytest.mark.parametrize("says", [2**20, 10], ids=["says so", "says otherwise"])
def test_an_artifact_that_is_too_long(service: Service, tmp_path: Path, says: int) -> None:
    hand_over(service, b"x" * 2**20, size_in_bytes=says)
    done = post_on_github(service, tmp_path, RUN)
    assert "the artifact is longer than" in done.log
    assert ("/blob/5" in service.tokens) is (says == 10)


def test_mentions_are_cut_apart(service: Service, tmp_path: Path) -> None:
    hand_over(service, pack(result(markdown="ask @ops in `@a`\n")))
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert "ask @&#8203;ops in `@a`" in service.comments[0]["body"]


def test_the_newest_artifact_that_is_there_counts(service: Service, tmp_path: Path) -> None:
    entry = service.artifacts[0]
    service.artifacts = [
        {**entry, "id": 3},
        entry,
        {**entry, "id": 6, "expired": True},
        {**entry, "id": 7, "name": "evil-comment"},
    ]
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert service.comments[0]["body"] == POSTED


def test_the_token_goes_to_the_api_alone(service: Service, tmp_path: Path) -> None:
    done = post_on_github(service, tmp_path, RUN)
    assert service.tokens.pop("/blob/5") is None
    assert set(service.tokens.values()) == {f"Bearer {TOKEN}"}
    assert TOKEN not in done.log


def test_a_refusal_of_the_service_is_an_error(service: Service, tmp_path: Path) -> None:
    service.forbidden = True
    done = run_on_github(service, tmp_path, RUN)
    assert done.code == 1
    assert done.log == f"::error::POST {COMMENTS}: the answer is 403\n"


def test_a_busy_service_is_asked_again(service: Service, tmp_path: Path) -> None:
    service.failing = 1
    assert post_on_github(service, tmp_path, RUN).code == 0
    assert len(service.comments) == 1


@pytest.mark.parametrize(
    ("event", "variables", "says"),
    [
        ({}, {"PILLAR_NAME": "-->"}, "the report's name"),
        ({"head_sha": "x"}, {}, "the event names no commit"),
        ({}, {"GITHUB_REPOSITORY": "a/b/../c"}, "names no repository"),
        ({}, {"GITHUB_API_URL": "http://127.0.0.1:9"}, "there is no answer"),
    ],
    ids=["name", "commit", "repository", "service"],
)
def test_what_makes_no_sense(
    service: Service, tmp_path: Path, event: dict[str, Any], variables: dict[str, str], says: str
) -> None:
    if "head_sha" in event:
        service.pulls = [pull(sha="x")]
    done = post_on_github(service, tmp_path, {**RUN, **event}, **variables)
    assert done.code == 1
    assert says in done.log


def test_another_event_is_an_error(service: Service, tmp_path: Path) -> None:
    done = post_on_github(service, tmp_path, None)
    assert done.code == 1
    assert "workflow_run" in done.log
