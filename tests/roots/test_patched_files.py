"""Files with some changed are what lies on disk once they are changed there."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.patched_files import PatchedFiles

NAMES = ["a", "b.sls", "c", ".hidden", "d.d"]
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
PATTERNS = ["*", "*/*", "a/*.sls", "d.d/*", "c/b.sls", "*/", ".*"]


def fitting(paths: Mapping[str, bytes]) -> dict[str, bytes]:
    """Leave out files that would stand where others have a folder."""
    found: dict[str, bytes] = {}
    for path, content in sorted(paths.items()):
        if not any(path.startswith(f"{other}/") for other in found):
            found[path] = content
    return found


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def look(files: Files, folder: Path) -> object:
    """Return all that can be asked of a folder."""
    paths = [folder, *(folder / one / other for one in NAMES for other in (".", "\0", *NAMES))]
    walked = {root: (sorted(rest)) for root, _, rest in files.walk(folder)}
    return {
        "walked": {root: rest for root, rest in walked.items() if rest},
        "files": [str(path) for path in paths if files.is_file(path)],
        "read": [files.read(path) for path in paths if files.is_file(path)],
        "globbed": [sorted(files.glob(pattern, folder, lambda _: True)) for pattern in PATTERNS],
        "names": sorted(files.names(folder)),
        "there": [files.exists(path) for path in paths],
        "folders": [str(path) for path in paths if files.is_dir(path)],
    }


@given(
    before=st.dictionaries(PATHS, st.binary(max_size=3), max_size=6),
    after=st.dictionaries(PATHS, st.binary(max_size=3), max_size=6),
)
def test_a_patch_is_what_it_makes_of_the_disk(
    before: dict[str, bytes], after: dict[str, bytes]
) -> None:
    before, after = (fitting(one) | {"kept": b""} for one in (before, after))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "tree"
        folder.mkdir()
        write(folder, before)
        patch = {folder / path: after.get(path) for path in {*before, *after}}
        patched = PatchedFiles(DISK, patch)
        told = look(patched, folder)
        shutil.rmtree(folder)
        folder.mkdir()
        write(folder, after)
        assert told == look(DISK, folder)
