"""Post what a pull request changes as one comment, which is kept up to date.

Runs in a job on ``workflow_run``, with a token that may write comments and without a checkout. The
run, its commit and the pull request come from the event and from GitHub; of the other job nothing
is taken but an artifact of one file, which is held to its size, its schema and its form.

Reads ``GITHUB_EVENT_PATH``, ``GITHUB_API_URL``, ``GITHUB_SERVER_URL``, ``GITHUB_REPOSITORY`` and
``GITHUB_TOKEN``, and ``PILLAR_NAME``, ``PILLAR_AUTHOR`` and ``PILLAR_REPORT_URL`` for the report's
name, the account that posts, and the address of the published report.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from comment_text import NOTHING_NEW, About, marker, write_comment
from faults import PostingError, RefusedError
from http_api import Api
from minion_links import check_address
from result_file import MAX_BYTES, Result, unpack_result

SILENT = ("cancelled", "skipped", "action_required", "stale")
"""Ends of a run that say nothing of the pull request: a later run, or nobody, does."""
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


def main(environment: Mapping[str, str]) -> int:
    """Post the comment; return the exit code."""
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        run = event.get("workflow_run")
        if not isinstance(run, dict):
            raise PostingError("this job is for the event workflow_run")  # noqa: TRY301
        print(_post(environment, run))
    except PostingError as error:
        print(f"::error::{error}")
        return 1
    return 0


def _post(environment: Mapping[str, str], run: Mapping[str, Any]) -> str:
    """Post what there is to say of a run; return what was done, in words."""
    if run.get("event") != "pull_request":
        return "nothing to post: the run was not for a pull request"
    if run.get("conclusion") in SILENT:
        return f"nothing to post: the run was {run['conclusion']}"
    name = environment.get("PILLAR_NAME") or "pillar"
    repository = environment["GITHUB_REPOSITORY"]
    if not REPOSITORY.fullmatch(repository):
        raise PostingError("GITHUB_REPOSITORY names no repository")
    commit, server = str(run["head_sha"]), environment.get("GITHUB_SERVER_URL")
    files = f"{server}/{repository}/blob/{commit}/" if server else ""
    report = check_address(environment.get("PILLAR_REPORT_URL", ""))
    about = About(name, commit, str(run["html_url"]), files, report)
    mark = marker(name)
    api = Api(
        environment["GITHUB_API_URL"],
        {
            "Authorization": f"Bearer {environment['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    home = f"/repos/{repository}"
    found = find_pulls(api, home, run)
    if len(found) != 1:
        return NOT_ONE[bool(found)]
    author = environment.get("PILLAR_AUTHOR") or "github-actions[bot]"
    issues = f"{home}/issues"
    result = fetch_result(api, home, run, f"{name}-comment")
    earlier = find_comment(api, f"{issues}/{found[0]}/comments", mark, author)
    comment = write_comment(about, result, None if earlier is None else earlier["body"])
    if comment is None:
        return NOTHING_NEW
    if comment.refused is not None:
        print(f"::warning::the result is not shown: {comment.refused}")
    if earlier is None:
        api.ask("POST", f"{issues}/{found[0]}/comments", {"body": comment.body})
        return f"the comment on pull request {found[0]} is new"
    api.ask("PATCH", f"{issues}/comments/{int(earlier['id'])}", {"body": comment.body})
    return f"the comment on pull request {found[0]} is up to date"


NOT_ONE = {
    False: "nothing to post: no open pull request has this commit as its head",
    True: "nothing to post: several pull requests have this head, and none says which it was",
}


def find_pulls(api: Api, home: str, run: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the open pull requests whose head a run was for.

    For a fork the event names none, so GitHub is asked for those of its branch. A head that has
    moved on since has a run of its own.
    """
    source = run.get("head_repository") or {}
    owner = (source.get("owner") or {}).get("login")
    if not owner or not run.get("head_branch"):
        return []
    query = urlencode({"state": "open", "head": f"{owner}:{run['head_branch']}"})
    found = [
        pull["number"]
        for pull in api.pages(f"{home}/pulls?{query}")
        if pull["head"]["sha"] == run["head_sha"]
        and (pull["head"].get("repo") or {}).get("full_name") == source.get("full_name")
    ]
    named = [pull["number"] for pull in run.get("pull_requests") or [] if pull["number"] in found]
    return named if len(found) > 1 and len(named) == 1 else found


def fetch_result(
    api: Api, home: str, run: Mapping[str, Any], artifact: str
) -> Result | RefusedError | None:
    """Return what a run handed over; None for nothing, an error for what is refused."""
    path = f"{home}/actions/runs/{int(run['id'])}/artifacts?{urlencode({'name': artifact})}"
    named = [one for one in api.pages(path, "artifacts") if one["name"] == artifact]
    usable = [one for one in named if not one.get("expired")]
    if not usable:
        return None
    newest = max(usable, key=lambda one: int(one["id"]))
    too_long = RefusedError(f"the artifact is longer than {MAX_BYTES:,} bytes")
    if int(newest["size_in_bytes"]) > MAX_BYTES:
        return too_long
    content = api.download(f"{home}/actions/artifacts/{int(newest['id'])}/zip", MAX_BYTES)
    if len(content) > MAX_BYTES:
        return too_long
    try:
        return unpack_result(content)
    except RefusedError as error:
        return error


def find_comment(api: Api, comments: str, mark: str, author: str) -> dict[str, Any] | None:
    """Return the comment that an account posted before; None for none.

    Anybody can write the mark; only the account itself can post under its name.
    """
    for one in api.pages(comments):
        login = (one.get("user") or {}).get("login")
        if login == author and (one.get("body") or "").startswith(mark):
            return {"id": one["id"], "body": one["body"]}
    return None


if __name__ == "__main__":
    sys.exit(main(os.environ))
