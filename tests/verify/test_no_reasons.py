"""What is no reason for a difference, and how a secret that differs is written."""

from pathlib import Path

from tests.verify.live import Side, dump_of, verify_dump


def test_an_error_that_the_dump_has_too_is_no_reason(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main, broken]}\n",
        "main.sls": "workers: 4\n",
        "broken.sls": "a: {{ grains['nowhere'] }}\n",
    }
    master = {"file_roots": {"base": ["no-states"]}}
    dump = dump_of(tmp_path / "live", Side(files, {"a": {}}))
    here = Side({**files, "main.sls": "workers: 8\n"}, {"a": {}}, master)
    told = verify_dump(tmp_path / "here", dump, here)
    assert told.why == ["the master may have another version of pillar/main.sls"]
    dump["a"]["_errors"] = ["Rendering SLS 'other' failed."]
    told = verify_dump(tmp_path / "other", dump, here)
    assert told.why == ["SLS 'broken' reads the grain 'nowhere', which is not declared"]


def test_a_secret_is_written_as_by_other_commands(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "password: s3cret-here\n"}
    told = verify_dump(tmp_path, {"a": {"password": "s3cret-there"}}, Side(files, {"a": {}}))
    assert told.text.count(": <redacted: key names a password, ") == 2
