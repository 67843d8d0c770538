"""Time the real Salt on a case folder; run by a Python that has Salt installed.

    python salt_time.py CASE

CASE holds ``master`` and ``minions.yml``. Prints the seconds that one minion's pillar takes, the
median over the minions, a first one left out that loads what Salt loads once.
"""

import copy
import logging
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import salt.config
import salt.pillar
import yaml


def main(case: Path) -> None:
    """Compile every minion of a case and print the median."""
    logging.disable(logging.CRITICAL)
    minions = yaml.safe_load((case / "minions.yml").read_text())["minions"]
    with tempfile.TemporaryDirectory() as scratch:
        options = _options(case, scratch)
        seconds = [_compile(options, minion, entry or {}) for minion, entry in minions.items()]
    print(f"{statistics.median(seconds[1:] or seconds):.6f}")


def _options(case: Path, scratch: str) -> dict[str, object]:
    declared = yaml.safe_load((case / "master").read_text())
    for name in ("pillar_roots", "file_roots"):
        declared[name] = {
            environment: [str((case / folder).resolve()) for folder in folders]
            for environment, folders in (declared.get(name) or {"base": []}).items()
        }
    declared.update(root_dir=scratch, cachedir=f"{scratch}/cache", extension_modules=f"{scratch}/x")
    file = Path(scratch) / "master"
    file.write_text(yaml.safe_dump(declared, sort_keys=False))
    options: dict[str, object] = salt.config.master_config(str(file))
    return options


def _compile(options: dict[str, object], minion: str, entry: dict[str, object]) -> float:
    declared: Any = entry.get("grains") or {}
    grains = {"id": minion, **declared}
    start = time.perf_counter()
    pillar = salt.pillar.Pillar(
        copy.deepcopy(options),
        grains,
        minion,
        entry.get("saltenv"),
        pillarenv=entry.get("pillarenv"),
    )
    pillar.compile_pillar()
    pillar.destroy()
    return time.perf_counter() - start


if __name__ == "__main__":
    main(Path(sys.argv[1]))
