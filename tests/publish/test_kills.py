"""A build that is killed at any moment leaves a whole site: the old one or the new one."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.publish.test_build_jobs import CONFIGURATION, TREE
from tests.support.fleets import write_files
from tests.support.leaky import files_of
from tests.support.tiers import is_thorough

SLOW = """\
import sys, time
from pathlib import Path
from pillarbook.publish import replace_site
exchange, rename = replace_site.exchange, Path.rename

def slowly(work):
    def do(*given):
        time.sleep(0.1)
        found = work(*given)
        time.sleep(0.1)
        return found
    return do

replace_site.exchange = slowly(exchange) if "exchange" in sys.argv else lambda one, other: False
Path.rename = slowly(rename)
from pillarbook.cli.main import main
sys.argv = ["pillarbook", "build", "--jobs", "2"]
main()
"""
"""A build whose exchange of sites takes long enough to be hit; by one step, or by renames."""


def begin(how: str, folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, how],
        cwd=folder,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PILLARBOOK_TOKEN_KEY": "a key for kills", "SOURCE_DATE_EPOCH": "0"},
    )


def build(how: str, folder: Path) -> dict[str, bytes]:
    with begin(how, folder) as process:
        assert process.wait() == 0, process.stderr and process.stderr.read()
    return files_of(folder / "site")


@pytest.mark.grows
@pytest.mark.sample(1)
@pytest.mark.parametrize("how", ["exchange", "rename"])
def test_no_moment_of_a_kill_spoils_the_site(
    how: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    write_files(tmp_path, {**TREE, "mkdocs.yml": CONFIGURATION.format("fleet")})
    value = tmp_path / "fleet/pillar/c.sls"
    texts = [value.read_text(), "note: another\n"]
    sites, start = [], time.monotonic()
    for text in texts:
        value.write_text(text)
        sites.append(build(how, tmp_path))
    took = (time.monotonic() - start) / 2
    assert sites[0] != sites[1]
    draw = Random(4)  # noqa: S311 (no secret hangs on it)
    seen = {0: 0, 1: 0}
    for number in range(100 if is_thorough(request.config) else 1):
        value.write_text(texts[number % 2])
        with begin(how, tmp_path) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(draw.uniform(0.2, 1.2) * took)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        found = files_of(tmp_path / "site") if (tmp_path / "site").is_dir() else None
        if found is None:  # between two renames: the next command puts it back
            assert how == "rename"
            continue
        same = [at for at, one in enumerate(sites) if one == found]
        assert same, sorted(found.keys() ^ sites[number % 2].keys())
        seen[same[0]] += 1
    value.write_text(texts[0])
    assert build(how, tmp_path) == sites[0]
    assert not [one.name for one in tmp_path.iterdir() if one.name.startswith(".site")]
    if is_thorough(request.config):
        assert min(seen.values()) > 5
