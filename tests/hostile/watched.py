"""Runs pillarbook and lists what it opened, changed and started, as the system saw it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pillarbook

CALLS = (
    "open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,rename,renameat,renameat2,unlink,"
    "unlinkat,rmdir,symlink,symlinkat,link,linkat,truncate,execve,execveat,connect"
)
OPENED = re.compile(r"\bopen(?:at2?)?\(.*= \d+<(?P<real>/[^>]*)>")
CHANGED = re.compile(r"\b(?:mkdir|mknod|rename|unlink|symlink|link)(?:at2?)?\((?P<words>.*)\) = 0")
PLACE = re.compile(r"(?:\d+|AT_FDCWD)<(?P<folder>/[^>]*)>, \"(?P<name>(?:[^\"\\]|\\.)*)\"")
STARTED = re.compile(r"\b(?:execve(?:at)?|connect)\((?P<what>.*)")


@dataclass(frozen=True, slots=True)
class Watched:
    """What a run did."""

    code: int
    said: str
    """Standard output and error."""
    opened: frozenset[Path]
    """Files and folders that were opened for reading or writing, without links."""
    changed: frozenset[Path]
    """What was made, renamed or removed; the folder without links."""
    started: tuple[str, ...]
    """Programs that were started and addresses that were connected to, the first one left out."""


def run_watched(folder: Path, *words: str, home: Path, secret: str) -> Watched:
    """Run pillarbook in a folder.

    The ``secret`` stands in the environment.
    """
    temporary = folder.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    notes = folder.parent / "calls"
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "CI_SECRET": secret,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    strace = shutil.which("strace")
    assert strace is not None, "this test needs strace"
    # With a filter in the kernel only the calls that are traced stop the process: a build makes
    # hundreds of thousands of others, and each would cost more than itself.
    command = [strace, "-f", "--seccomp-bpf", "-y", "-s", "4096", "-o", str(notes)]
    command += ["-e", f"trace={CALLS}"]
    ended = subprocess.run(
        [*command, sys.executable, "-m", "pillarbook", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    calls = list(_join(notes.read_text(errors="replace").splitlines()))
    started = [found["what"] for call in calls if (found := STARTED.search(call))]
    return Watched(
        ended.returncode,
        ended.stdout + ended.stderr,
        frozenset(Path(_unescape(found["real"])) for call in calls if (found := _opened(call))),
        frozenset(place for call in calls for place in _changed(call)),
        tuple(started[1:]),
    )


def is_own(path: Path, folder: Path) -> bool:
    """Say whether a path is the tree's, the system's or Python's: what any run may open."""
    ours = Path(pillarbook.__file__).parents[2]
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.realpath(sys.prefix)}
    system = (
        "/usr",
        "/lib",
        "/lib64",
        "/etc/ld.so.cache",
        "/etc/ssl",
        "/etc/locale.alias",
        "/etc/localtime",
        "/dev/null",
        "/dev/shm",
    )
    own = [folder, folder.parent / "temporary", ours, *map(Path, (*prefixes, *system))]
    if re.fullmatch(r"/proc/\d+/(statm|status|mounts|stat|task|cgroup|maps)", str(path)):
        return True
    return any(path.is_relative_to(one) or path.is_relative_to(one.resolve()) for one in own)


def _opened(call: str) -> re.Match[str] | None:
    return None if "O_PATH" in call else OPENED.search(call)  # which reads and writes nothing


def _changed(call: str) -> Iterator[Path]:
    found = CHANGED.search(call)
    for place in PLACE.finditer(found["words"]) if found else ():
        folder, name = _unescape(place["folder"]), _unescape(place["name"])
        path = Path(name) if name.startswith("/") else Path(folder, name)
        held = re.match(r"/proc/\d+/fd/\d+", name)
        if held is None:
            yield Path(os.path.realpath(path.parent), path.name)


def _unescape(text: str) -> str:
    """Return a path of which strace wrote what is not ASCII, and quotes, as in C."""
    written = text.encode("ascii").decode("unicode_escape")
    return os.fsdecode(written.encode("latin-1"))


def _join(lines: list[str]) -> Iterator[str]:
    """Yield calls in one piece that another process had interrupted."""
    begun: dict[str, str] = {}
    for line in lines:
        process, _, call = line.partition(" ")
        if call.rstrip().endswith("<unfinished ...>"):
            begun[process] = call.rpartition("<unfinished")[0]
        elif "resumed>" in call:
            yield begun.pop(process, "") + call.partition("resumed>")[2]
        else:
            yield call
