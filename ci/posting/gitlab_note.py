"""Post what a merge request changes as one note, which is kept up to date.

Runs in a job of the merge request's own pipeline, after the one that compares and without the
tree. The merge request comes from GitLab's variables; the file of the other job is held to its
size, its schema and its form.

Reads ``CI_API_V4_URL``, ``CI_MERGE_REQUEST_PROJECT_ID``, ``CI_MERGE_REQUEST_IID``,
``CI_MERGE_REQUEST_SOURCE_PROJECT_URL``, ``CI_PIPELINE_URL``, ``CI_COMMIT_SHA``,
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
from http_api import Api
from minion_links import check_address
from result_file import MAX_BYTES, NAME, Result, read_result


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
    about = About(name, commit, environment["CI_PIPELINE_URL"], files, check_address(report))
    result = load_result(folder)
    api = Api(environment["CI_API_V4_URL"], {"PRIVATE-TOKEN": token})
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
