"""Runs what posts, as its job does."""

import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import github_comment
from tests.ci.places import ACTIONS, run_of
from tests.ci.pulls import LINK, bash, inherited
from tests.ci.service import BOT, TOKEN, Service

HEAD = "a" * 40
TEXT = f"### Pillar: 1 change on 2 of 3 minions\n2 changed · [full report]({LINK})\n"
RUN: Mapping[str, Any] = {
    "id": 77,
    "event": "pull_request",
    "conclusion": "success",
    "head_sha": HEAD,
    "head_branch": "change",
    "html_url": LINK,
    "head_repository": {"full_name": "ann/pillar", "owner": {"login": "ann"}},
    "pull_requests": [],
}


def pull(number: int = 9, **changes: Any) -> dict[str, Any]:
    """Return an open pull request as GitHub has it."""
    head = {"user": "ann", "ref": "change", "sha": HEAD, "repo": {"full_name": "ann/pillar"}}
    return {"number": number, "open": True, "head": {**head, **changes}}


def result(**changes: Any) -> bytes:
    """Return the file that the other job hands over."""
    data = {
        "schema": "pillarbook.comment/1",
        "head": HEAD,
        "state": "compared",
        "markdown": TEXT,
        **changes,
    }
    return json.dumps(data).encode()


@dataclass(frozen=True, slots=True)
class Posted:
    """How posting ended."""

    code: int
    """The exit code."""
    log: str
    """What it printed."""


def post_on_github(
    service: Service, folder: Path, run: Mapping[str, Any] | None, **variables: str
) -> Posted:
    """Post what there is to say of a run that ended, in this process."""
    printed = StringIO()
    with redirect_stdout(printed):
        code = github_comment.main(of_job(service, folder, run, **variables))
    return Posted(code, printed.getvalue())


def run_on_github(service: Service, folder: Path, run: Mapping[str, Any]) -> Posted:
    """Do the same by the shell of the action."""
    shell = run_of(ACTIONS["post"], "Post the comment")
    done = bash(shell, folder, of_job(service, folder, run))
    return Posted(done.returncode, done.stdout)


def of_job(
    service: Service, folder: Path, run: Mapping[str, Any] | None, **variables: str
) -> dict[str, str]:
    """Return the variables of the job that posts."""
    event = folder / "event.json"
    event.write_text(json.dumps({"action": "completed", "workflow_run": run}))
    return {
        **inherited(),
        "GITHUB_ACTION_PATH": str(ACTIONS["post"].parent),
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_API_URL": service.address,
        "GITHUB_REPOSITORY": "shop/pillar",
        "GITHUB_TOKEN": TOKEN,
        "PILLAR_NAME": "pillar",
        "PILLAR_AUTHOR": BOT,
        **variables,
    }
