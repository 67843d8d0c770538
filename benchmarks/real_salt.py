"""A Python that has the real Salt, for comparisons; made where there is none."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SALT = "salt==3008.3"
NAMED_BY = "SALT_ORACLE_PYTHON"
"""The variable that may name one."""


def find_salt(given: str | None = None) -> str:
    """Return a Python that has Salt: the one given, the one named, else one of its own.

    Raises:
        subprocess.CalledProcessError: It cannot be installed.
    """
    python = given or os.environ.get(NAMED_BY)
    return python or str(_install(ROOT / ".tools" / "salt"))


def _install(folder: Path) -> Path:
    """Install Salt into a folder, once, whoever else asks at the same time."""
    python, mark = folder / "bin" / "python", folder / "complete"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "salt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists():
            uv = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
            print("installing Salt into .tools/salt, once")
            make = [uv, "venv", "--quiet", "--clear", "--python", "3.11", str(folder)]
            subprocess.run(make, check=True)
            install = [uv, "pip", "install", "--quiet", "--python", str(python), SALT]
            subprocess.run(install, check=True)
            mark.touch()
    return python
