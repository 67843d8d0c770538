"""Post what a merge request changes as one note, which is kept up to date.

Runs in a job of the merge request's own pipeline, after the one that compares and without the
tree. The merge request comes from GitLab's variables; the file of the other job is held to its
size, its schema and its form.

Reads ``CI_API_V4_URL``, ``CI_MERGE_REQUEST_PROJECT_ID``, ``CI_MERGE_REQUEST_IID``,
``CI_MERGE_REQUEST_SOURCE_PROJECT_URL``, ``CI_PIPELINE_URL``, ``CI_COMMIT_SHA``, ``CI_PROJECT_URL``,
``CI_PROJECT_ID``, ``CI_PIPELINE_ID``, ``CI_PAGES_DOMAIN``,
``PILLAR_NOTE_TOKEN``, ``PILLAR_NAME`` and ``PILLAR_REPORT_URL``, or ``CI_PAGES_URL`` if
``PILLAR_PAGES`` is ``true``; takes the folder of the result as its argument.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from comment_text import NOTHING_NEW, About, marker, write_comment
from faults import PostingError, RefusedError
from http_api import Api, ApiError
from minion_links import check_address
from result_file import MAX_BYTES, NAME, Result, read_result

JOB = "pillar compare"
"""The job of the template that writes the report."""
PAGE = "pillarbook-result/site/index.html"
"""The report's first page in the files that it keeps."""


def main(environment: Mapping[str, str], arguments: Sequence[str]) -> int:
    """Post the note; return the exit code."""
    try:
        print(_post(environment, Path(arguments[0])))
    except PostingError as error:
        print(f"pillarbook: {error}", file=sys.stderr)
        return 1
    return 0


def _post(environment: Mapping[str, str], folder: Path) -> str:
    """Post what there is to say; return what was done, in words."""
    token = environment.get("PILLAR_NOTE_TOKEN")
    if not token:
        return "nothing is posted: PILLAR_NOTE_TOKEN is not set, as in the pipeline of a fork"
    name = environment.get("PILLAR_NAME") or "pillar"
    commit = environment.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or environment["CI_COMMIT_SHA"]
    source = environment.get("CI_MERGE_REQUEST_SOURCE_PROJECT_URL")
    files = f"{source}/-/blob/{commit}/" if source else ""
    report = environment.get("PILLAR_REPORT_URL", "")
    if not report and environment.get("PILLAR_PAGES") == "true":
        report = environment.get("CI_PAGES_URL", "")
    result = load_result(folder)
    api = Api(environment["CI_API_V4_URL"], {"PRIVATE-TOKEN": token})
    page = find_page(api, environment)
    about = About(name, commit, environment["CI_PIPELINE_URL"], files, check_address(report), page)
    project = int(environment["CI_MERGE_REQUEST_PROJECT_ID"])
    request = int(environment["CI_MERGE_REQUEST_IID"])
    notes = f"/projects/{project}/merge_requests/{request}/notes"
    earlier = find_note(api, notes, marker(name))
    comment = write_comment(about, result, None if earlier is None else earlier["body"])
    if comment is None:
        return NOTHING_NEW
    if comment.refused is not None:
        print(f"pillarbook: the result is not shown: {comment.refused}", file=sys.stderr)
    if earlier is None:
        api.ask("POST", notes, {"body": comment.body})
        return "the note is new"
    api.ask("PUT", f"{notes}/{int(earlier['id'])}", {"body": comment.body})
    return "the note is up to date"


def find_page(api: Api, environment: Mapping[str, str]) -> str:
    """Return the address of the report that this pipeline's comparison kept; empty for none.

    GitLab shows the pages of an artifact if the server has Pages.
    """
    url, pipeline = environment.get("CI_PROJECT_URL"), environment.get("CI_PIPELINE_ID")
    if not (url and pipeline and environment.get("CI_PAGES_DOMAIN")):
        return ""
    path = f"/projects/{int(environment['CI_PROJECT_ID'])}/pipelines/{int(pipeline)}/jobs"
    try:
        found = [one for one in api.pages(path) if one["name"] == JOB]
    except ApiError:  # without it, the link leads to the pipeline
        return ""
    kept = [int(one["id"]) for one in found if one.get("artifacts_file")]
    return f"{url}/-/jobs/{max(kept)}/artifacts/file/{PAGE}" if kept else ""


def load_result(folder: Path) -> Result | RefusedError | None:
    """Return what the other job handed over; None for nothing, an error for what is refused."""
    file = folder / NAME
    if file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as opened:
        content = opened.read(MAX_BYTES + 1)
    try:
        return read_result(content)
    except RefusedError as error:
        return error


def find_note(api: Api, notes: str, mark: str) -> dict[str, Any] | None:
    """Return the note that the token's account posted before; None for none."""
    own = api.ask("GET", "/user")["id"]
    for one in api.pages(f"{notes}?sort=asc&order_by=created_at"):
        if one["author"]["id"] == own and one["body"].startswith(mark):
            return {"id": one["id"], "body": one["body"]}
    return None


if __name__ == "__main__":
    sys.exit(main(os.environ, sys.argv[1:]))
