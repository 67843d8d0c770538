"""The template for GitLab: the scripts of its jobs, in checkouts such as a runner makes them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.ci.places import CI, TEMPLATE, load
from tests.ci.posting import HEAD, Posted, result
from tests.ci.pulls import CHANGE, FLEET, MKDOCS, Pull, bash, check_out, inherited, open_pull
from tests.ci.service import NOTES, OWN_ID, TOKEN, Service, serve
from tests.support.forked.commands import forked_commands
from tests.support.repositories import commit_all, git

MARK = "<!-- pillarbook: pillar -->"
PIPELINE = "https://gitlab.example/shop/pillar/-/pipelines/31"
NOTED = f"### Pillar: 1 change on 2 of 3 minions\n2 changed · [full report]({PIPELINE})\n"
JOBS = load(TEMPLATE)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the repository that jobs clone pillarbook from."""
    folder = tmp_path_factory.mktemp("source")
    shutil.copytree(CI, folder / "ci", ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit_all(folder)
    return folder


def run_job(name: str, folder: Path, source: Path, **variables: str) -> Posted:
    """Run the script of a job, as the runner does: one shell for all of its lines."""
    job = {**JOBS[".pillarbook"], **JOBS[name]}
    temporary = folder.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    given = {
        **inherited(),
        **JOBS["variables"],
        "PILLAR_SOURCE": f"file://{source}",
        "PILLAR_VENV": str(forked_commands()),
        "TMPDIR": str(temporary),
        "CI_API_V4_URL": "http://127.0.0.1:9",
        "CI_PIPELINE_URL": PIPELINE,
        "CI_MERGE_REQUEST_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_IID": "5",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_COMMIT_SHA": HEAD,
        **variables,
    }
    done = bash("\n".join([*job["before_script"], *job["script"]]), folder, given)
    return Posted(done.returncode, done.stdout)


def of_request(pull: Pull) -> dict[str, str]:
    """Return the variables of a pipeline for a merge request's branch."""
    return {"CI_COMMIT_SHA": pull.head, "CI_MERGE_REQUEST_DIFF_BASE_SHA": pull.base}


def test_a_merge_request_from_its_comparison_to_its_note(tmp_path: Path, source: Path) -> None:
    breaks = {"pillar/db.sls": "shards: {{ 1 / 0 }}\n"}
    pull = open_pull(tmp_path / "origin", {**CHANGE, **breaks})
    work = check_out(pull, tmp_path / "work", pull.head)
    (work / "pillarbook-result").symlink_to("pillar")
    done = run_job("pillar compare", work, source, **of_request(pull))
    assert done.code == 2, done.log
    found = work / "pillarbook-result"
    assert {one.name for one in found.iterdir()} == {
        *("codequality.json", "junit.xml", "comment", "diff.json", "site", "summary.md")
    }
    assert json.loads((found / "codequality.json").read_text())[0]["severity"] == "major"
    assert "<failure " in (found / "junit.xml").read_text()
    assert (work / "pillar" / "top.sls").is_file()
    with serve(Service()) as service:
        given = {"CI_API_V4_URL": service.address, "PILLAR_NOTE_TOKEN": TOKEN}
        done = run_job("pillar note", work, source, **of_request(pull), **given)
    assert (done.code, done.log) == (0, "the note is new\n")
    body = service.comments[0]["body"]
    assert body.startswith(f"{MARK}\n### Pillar: ")
    assert "#### Newly failing: `db1`" in body
    assert f"[full report]({PIPELINE})" in body
    assert body.endswith(f"\nCommit {pull.head}\n")


@pytest.mark.slow
def test_a_fork_has_no_configuration_of_its_own(tmp_path: Path, source: Path) -> None:
    fleet = {name: text for name, text in FLEET.items() if name != "mkdocs.yml"}
    pull = open_pull(tmp_path / "origin", {"mkdocs.yml": MKDOCS}, fleet)
    work = check_out(pull, tmp_path / "work", pull.merge)
    merged = {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": pull.base,
        "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": pull.head,
        "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "99",
    }
    done = run_job("pillar compare", work, source, **merged)
    assert done.code == 1
    assert "the base has no mkdocs.yml" in done.log
    file = work / "pillarbook-result" / "comment" / "comment.json"
    found = json.loads(file.read_text())
    assert (found["head"], found["state"]) == (pull.head, "failed")


@pytest.mark.slow
def test_pages_are_the_report_of_a_branch(tmp_path: Path, source: Path) -> None:
    pull = open_pull(tmp_path / "origin")
    work = check_out(pull, tmp_path / "work", pull.base)
    (work / "public").symlink_to("pillar")
    done = run_job("pages", work, source)
    assert done.code == 0, done.log
    assert (work / "public" / "index.html").is_file()
    assert not (work / "pillar" / "index.html").exists()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a folder with the result of the job that compares."""
    folder = tmp_path / "work"
    (folder / "pillarbook-result" / "comment").mkdir(parents=True)
    write(folder, result(markdown=NOTED))
    return folder


def write(work: Path, content: bytes) -> None:
    (work / "pillarbook-result" / "comment" / "comment.json").write_bytes(content)


def note(work: Path, source: Path, service: Service, **variables: str) -> Posted:
    given = {"CI_API_V4_URL": service.address, "PILLAR_NOTE_TOKEN": TOKEN, **variables}
    return run_job("pillar note", work, source, **given)


@pytest.mark.slow
def test_the_note_is_updated_and_not_repeated(work: Path, source: Path) -> None:
    others: list[dict[str, Any]] = [
        {"id": number, "author": {"id": 7}, "body": f"{MARK}\nforged"} for number in range(10, 130)
    ]
    with serve(Service(comments=others)) as service:
        assert note(work, source, service).log == "the note is new\n"
        write(work, result(markdown="### Pillar: no change on 3 minions\n"))
        done = note(work, source, service)
    assert (done.code, done.log) == (0, "the note is up to date\n")
    (own,) = [one for one in service.comments if one["author"]["id"] == OWN_ID]
    assert own["body"] == f"{MARK}\n### Pillar: no change on 3 minions\n\nCommit {HEAD}\n"
    assert [method for method, _ in service.wrote()] == ["POST", "PUT"]
    assert set(service.tokens.values()) == {TOKEN}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"evil", "not shown"),
        (result(markdown="/approve evil"), "not shown"),
        (result(markdown="<b>evil"), "not shown"),
        (result(state="failed", markdown=""), "not compared"),
    ],
    ids=["no JSON", "a command", "markup", "failed"],
)
def test_what_is_not_shown(work: Path, source: Path, content: bytes, says: str) -> None:
    write(work, content)
    with serve(Service()) as service:
        done = note(work, source, service)
    assert done.code == 0
    assert f"### Pillar: {says}\n" in service.comments[0]["body"]
    assert "evil" not in service.comments[0]["body"] + done.log


def test_a_comparison_that_left_nothing_is_told(work: Path, source: Path) -> None:
    shutil.rmtree(work / "pillarbook-result")
    with serve(Service()) as service:
        assert note(work, source, service).code == 0
    assert "### Pillar: not compared\n" in service.comments[0]["body"]


def test_without_a_token_nothing_is_posted(work: Path, source: Path) -> None:
    with serve(Service()) as service:
        done = note(work, source, service, PILLAR_NOTE_TOKEN="")
    assert (done.code, service.asked) == (0, [])
    assert "PILLAR_NOTE_TOKEN is not set" in done.log


@pytest.mark.sample(1)
@pytest.mark.parametrize("has_pages", [True, False])
def test_the_reports_link_opens_a_page(work: Path, source: Path, *, has_pages: bool) -> None:
    jobs: list[dict[str, Any]] = [
        {"id": 8, "name": "pillar compare", "artifacts_file": {"size": 1}},
        {"id": 9, "name": "pillar compare", "artifacts_file": None},
        {"id": 10, "name": "other", "artifacts_file": {"size": 1}},
    ]
    given = {
        "CI_PROJECT_URL": "https://gitlab.example/shop/pillar",
        "CI_PROJECT_ID": "12",
        "CI_PIPELINE_ID": "31",
        "CI_PAGES_DOMAIN": "pages.example" if has_pages else "",
    }
    with serve(Service(jobs=jobs)) as service:
        assert note(work, source, service, **given).code == 0
    page = f"{given['CI_PROJECT_URL']}/-/jobs/8/artifacts/file/pillarbook-result/site/index.html"
    link = page if has_pages else PIPELINE
    assert f"[full report]({link})" in service.comments[0]["body"]


def test_a_refusal_of_the_service_is_an_error(work: Path, source: Path) -> None:
    with serve(Service(forbidden=True)) as service:
        done = note(work, source, service)
    assert (done.code, done.log) == (1, f"pillarbook: POST {NOTES}: the answer is 403\n")
