#!/usr/bin/env python3
"""The project's tasks: python3 make.py TASK [ARGUMENT]...

    site       compile the example and write its report to site/
    test       run the tests, in 2 to 4 minutes on two cores; `test tests/compile` some;
               `test --all` all, in more than half an hour; `test --budget 600` what `test` leaves
               out, for 600 seconds
    check      lint, formatting, types, import contracts
    bench      measure on a generated fleet
    dist       build wheel and sdist into dist/, each twice, and check both
    serve      show the example's report, anew at every change
    pictures   take the pictures of docs/images/ from the example's report

Needs Python and git alone: uv comes from PATH, else from PyPI into .tools/, and brings the rest.
The programs that tests run, a browser and gpg, come from Debian's packages where they are missing.
"""

import importlib.util
import locale
import os
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
TOOLS = ROOT / ".tools"
OLDEST_UV = (0, 9, 17)  # the first to understand exclude-newer in days

TASKS = {
    "site": ["--no-dev pillarbook build -f mkdocs.yml"],
    "test": ["pytest -p no:benchmark -n 2 --dist worksteal"],
    "check": ["ruff check", "ruff format --check", "mypy", "lint-imports"],
    "bench": ["--no-dev --group bench python -m benchmarks.run"],
    "dist": ["--no-dev --with hatchling --with twine python ci/steps/build_dist.py"],
    "serve": ["--no-dev pillarbook serve -f mkdocs.yml"],
    "pictures": ["python -m tests.browser.pictures"],
}
PROGRAMS = {"test": ("chromium", "fish", "gpg", "strace", "zsh"), "pictures": ("chromium",)}
PACKAGES = {"gpg": "gnupg"}  # what Debian calls a program otherwise


def main(arguments: list[str]) -> int:
    """Run all commands of a task, also after one that failed; return the first bad exit code."""
    if not arguments or arguments[0] not in TASKS:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 1
    install_programs(PROGRAMS.get(arguments[0], ()))
    uv = find_uv() or fetch_uv()
    commands = [[uv, "run", "--frozen", *words.split()] for words in TASKS[arguments[0]]]
    commands[-1] += arguments[1:]
    try:
        codes = [
            subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
            for command in commands
        ]
    except KeyboardInterrupt:
        return 130
    return next((code for code in codes if code), 0)


def install_programs(programs: tuple[str, ...]) -> None:
    """Install what is not on PATH, as root or by a sudo that asks nothing."""
    missing = [PACKAGES.get(program, program) for program in programs if not shutil.which(program)]
    if not missing:
        return
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    install = [*apt, "install", "-qy", "--no-install-recommends", *missing]
    known = all(shutil.which(word) for word in ("apt-get", *root[:1]))
    if not (
        known and all(runs(line) for line in ([*root, "true"], [*apt, "update", "-q"], install))
    ):
        packages = " ".join(missing)
        sys.exit(
            f"make.py: the tests need {packages}; "
            f"run: sudo apt-get update && sudo apt-get install -y {packages}"
        )


def runs(command: list[str]) -> bool:
    """Run a command, what it says on standard error."""
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def find_uv() -> str | None:
    """Return a uv from PATH or .tools/ that answers (a shim may not) and is recent enough."""
    for folder in (None, str(TOOLS / "bin")):
        uv = shutil.which("uv", path=folder)
        if uv:
            answer = subprocess.run([uv, "--version"], capture_output=True, text=True, check=False)
            version = re.match(r"uv (\d+)\.(\d+)\.(\d+)", answer.stdout)
            if version and tuple(map(int, version.groups())) >= OLDEST_UV:
                return uv
    return None


def fetch_uv() -> str:
    """Install uv into .tools/, where Debian's "externally managed" Python allows it."""
    if not importlib.util.find_spec("pip"):
        sys.exit("make.py: neither uv nor pip is here; run: sudo apt-get install -y python3-pip")
    wanted = "uv>=" + ".".join(map(str, OLDEST_UV))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", str(TOOLS)]
    if subprocess.run([*pip, wanted], env=environment(), check=False).returncode:
        sys.exit(
            f"make.py: pip could not fetch uv; with network access run: {' '.join(pip)} '{wanted}'"
        )
    return find_uv() or sys.exit(f"make.py: no uv that runs here in {TOOLS}; install uv onto PATH")


def environment() -> dict[str, str]:
    """Return the environment for uv and pip: this project's, with the system's certificates."""
    # Without bytecode every process of a test run would rewrite the assertions of all tests anew.
    unwanted = ("VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    variables = {name: value for name, value in os.environ.items() if name not in unwanted}
    variables.setdefault("PIP_ROOT_USER_ACTION", "ignore")
    if not str(ROOT).isascii() and locale.getencoding().upper() in ("ANSI_X3.4-1968", "US-ASCII"):
        # Python ends at its start if the locale cannot decode the path of an editable package.
        variables["LC_ALL"] = "C.UTF-8"
    certificates = ssl.get_default_verify_paths().capath
    if certificates and any(Path(certificates).iterdir()):
        # Behind a proxy with a certificate of its own; a bare container has only uv's bundled ones.
        variables.setdefault("UV_SYSTEM_CERTS", "true")
        variables.setdefault("UV_NATIVE_TLS", "true")
    return variables


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
