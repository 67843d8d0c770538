"""What git ignores, as git itself says."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import git

from pillarbook.roots.git_ignored import is_ignored

LINES = {
    "names": "*.json\nsecret\n",
    "anchored": "/a/b\n/top.txt\nc/d\n",
    "folders": "a/\nd/\n",
    "kept": "*.json\n!keep.json\n",
    "stars": "**/d\na/**\nf?.txt\n[ab].yml\n**/x/*.sls\n",
    "comments": "# a\n\n\\#b\n  \nend.txt   \n",
    "below": "a/b/*\n!a/b/c\n",
}
FILES = (
    *("a/b/c", "a/x.json", "top.txt", "a/top.txt", "c/d/e", "b/c/d", "keep.json", "other.json"),
    *("secret", "b/secret/f", "f1.txt", "f12.txt", "a.yml", "c.yml", "b/x/s.sls", "x/s.sls"),
    *("#b", "end.txt", "d/f", "a/b/z"),
)


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_it_says_what_git_says(lines: str, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write_files(tmp_path, {**dict.fromkeys(FILES, ""), ".gitignore": lines})
    left = git(tmp_path, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    for file in FILES:
        assert is_ignored(tmp_path / file, tmp_path, tmp_path / ".git") == (file not in left), file
