"""The Python that pages show is accepted by a strict type checker; the pages' commands run it."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.pages import GUIDE, ROOT, read_blocks

PAGE = GUIDE / "python.md"


@pytest.mark.slow
def test_python_on_the_page_has_right_types(tmp_path: Path) -> None:
    files = []
    for block in read_blocks(PAGE):
        if block.language == "python":
            assert block.file, f"{block.place}: the first line must be a comment with a path"
            files.append(tmp_path / block.file)
            files[-1].parent.mkdir(exist_ok=True)
            files[-1].write_text(block.text)
    assert files
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", *files],
        cwd=ROOT,  # where the configuration is, and what mypy remembers of pillarbook
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
