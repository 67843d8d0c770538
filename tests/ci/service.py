"""The parts of GitHub's and GitLab's APIs that posting asks, served from memory over HTTP."""

import io
import json
import re
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "t0k3n-of-the-job"
BOT = "github-actions[bot]"
OWN_ID = 41


@dataclass(slots=True)
class Service:
    """What the service knows, and what it was asked."""

    address: str = ""
    """Where it answers."""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    """GitHub's pull requests."""
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    """The artifacts of run 77."""
    archives: dict[int, bytes] = field(default_factory=dict)
    """What the artifacts hold."""
    comments: list[dict[str, Any]] = field(default_factory=list)
    """Comments of GitHub, or notes of GitLab."""
    jobs: list[dict[str, Any]] = field(default_factory=list)
    """Jobs of a pipeline of GitLab."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of each request."""
    tokens: dict[str, str | None] = field(default_factory=dict)
    """The token that came with each path, the last one."""
    failing: int = 0
    """How many requests are still answered with 502."""
    forbidden: bool = False
    """Whether writing is answered with 403."""

    def wrote(self) -> list[tuple[str, str]]:
        """Return the requests that change something."""
        return [one for one in self.asked if one[0] != "GET"]


def pack(content: bytes, name: str = "comment.json") -> bytes:
    """Return an archive with one file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


@contextmanager
def serve(service: Service) -> Iterator[Service]:
    """Answer requests as long as it is open."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            url = urlsplit(self.path)
            service.asked.append((self.command, url.path))
            given = self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN")
            service.tokens[url.path] = given
            status, answer = _route(service, self.command, url.path, parse_qs(url.query), body)
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            if status == 302:
                self.send_header("Location", str(answer))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = _answer  # noqa: N815 (the library's names)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


Query = Mapping[str, list[str]]
Answer = tuple[int, Any]
Route = Callable[[Service, Query, Any, str], Answer]


def _route(service: Service, method: str, path: str, query: Query, body: Any) -> Answer:
    if service.failing:
        service.failing -= 1
        return 502, {"message": TOKEN}
    if service.forbidden and method != "GET":
        return 403, {"message": f"not with {TOKEN}"}
    for wanted, pattern, route in ROUTES:
        found = re.fullmatch(pattern, path)
        if wanted == method and found:
            return route(service, query, body, found[1] if found.groups() else "")
    return 404, {"message": "Not Found"}


def _page(entries: list[Any], query: Query) -> list[Any]:
    size, number = int(query["per_page"][0]), int(query["page"][0])
    return entries[size * (number - 1) : size * number]


def _list_pulls(service: Service, query: Query, _body: Any, _part: str) -> Answer:
    assert query["state"] == ["open"]
    fits = [
        one
        for one in service.pulls
        if [f"{one['head']['user']}:{one['head']['ref']}"] == query["head"] and one["open"]
    ]
    return 200, _page(fits, query)


def _list_artifacts(service: Service, query: Query, _body: Any, _part: str) -> Answer:
    named = [one for one in service.artifacts if [one["name"]] == query["name"]]
    return 200, {"total_count": len(named), "artifacts": _page(named, query)}


def _list_jobs(service: Service, query: Query, _body: Any, _part: str) -> Answer:
    return 200, _page(service.jobs, query)


def _redirect(service: Service, _query: Query, _body: Any, number: str) -> Answer:
    return 302, f"{service.address}/blob/{number}"


def _blob(service: Service, _query: Query, _body: Any, number: str) -> Answer:
    return 200, service.archives[int(number)]


def _list_comments(service: Service, query: Query, _body: Any, _part: str) -> Answer:
    return 200, _page(service.comments, query)


def _create(service: Service, _query: Query, body: Any, _part: str) -> Answer:
    author = {"login": BOT, "id": OWN_ID}
    number = max((one["id"] for one in service.comments), default=0) + 1
    service.comments.append({"id": number, "user": author, "author": author, **body})
    return 201, service.comments[-1]


def _update(service: Service, _query: Query, body: Any, number: str) -> Answer:
    (found,) = [one for one in service.comments if one["id"] == int(number)]
    found.update(body)
    return 200, found


def _user(_service: Service, _query: Query, _body: Any, _part: str) -> Answer:
    return 200, {"id": OWN_ID}


HOME = "/repos/shop/pillar"
NOTES = "/projects/12/merge_requests/5/notes"
ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("GET", f"{HOME}/pulls", _list_pulls),
    ("GET", f"{HOME}/actions/runs/77/artifacts", _list_artifacts),
    ("GET", rf"{HOME}/actions/artifacts/(\d+)/zip", _redirect),
    ("GET", r"/blob/(\d+)", _blob),
    ("GET", f"{HOME}/issues/9/comments", _list_comments),
    ("POST", f"{HOME}/issues/9/comments", _create),
    ("PATCH", rf"{HOME}/issues/comments/(\d+)", _update),
    ("GET", "/user", _user),
    ("GET", NOTES, _list_comments),
    ("GET", "/projects/12/pipelines/31/jobs", _list_jobs),
    ("POST", NOTES, _create),
    ("PUT", rf"{NOTES}/(\d+)", _update),
)
