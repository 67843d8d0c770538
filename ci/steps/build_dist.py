"""Build wheel and sdist into a folder: the same commit always gives the same bytes.

    python ci/steps/build_dist.py [OUT]

Both are built twice, and the second time from the sdist, as installers without the wheel do.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(out: Path) -> int:
    """Build, compare, check, and put the files into the folder."""
    with tempfile.TemporaryDirectory() as folder:
        first, second, unpacked = (Path(folder, name) for name in ("first", "second", "unpacked"))
        build(ROOT, first)
        (sdist,) = first.glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            archive.extractall(unpacked, filter="data")
        (source,) = unpacked.iterdir()
        build(source, second)
        names = sorted(path.name for path in first.iterdir())
        _, differing, absent = filecmp.cmpfiles(first, second, names, shallow=False)
        if differing or absent:
            print(f"not reproducible: {', '.join((*differing, *absent))}", file=sys.stderr)
            return 1
        twine = [sys.executable, "-m", "twine", "check", "--strict"]
        files = [str(first / name) for name in names]
        if subprocess.run([*twine, *files], check=False).returncode:
            return 1
        out.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.move(first / name, out / name)
            print(out / name)
    return 0


def build(source: Path, folder: Path) -> None:
    """Build wheel and sdist of a source tree."""
    # Hatchling gives all files one time, so bytes hang on nothing but their content.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1580601600"}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=source,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")))
