"""Time the real Salt on a case folder; run by a Python that has Salt installed.

    python salt_time.py CASE... [--pillars]

CASE holds ``master`` and ``minions.yml``. Prints a line for each: the seconds that one minion's
pillar takes, the median over the minions, a first one left out that loads what Salt loads once.
With ``--pillars`` prints what Salt compiles instead: ``{minion: pillar}`` in tagged JSON.
"""

import copy
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import salt.config
import salt.pillar
import yaml

RAISES = "$raises"
"""The key for the error with which Salt's own compile ends."""


def main(case: Path, *, prints_pillars: bool) -> None:
    """Compile every minion of a case and print the median, or the pillars."""
    logging.disable(logging.CRITICAL)
    minions = yaml.safe_load((case / "minions.yml").read_text())["minions"]
    with tempfile.TemporaryDirectory() as scratch:
        options = _options(case, scratch)
        compiled = {
            minion: _compile(options, minion, entry or {}) for minion, entry in minions.items()
        }
        if keys := options.get("gpg_keydir"):
            stop = ["gpgconf", "--homedir", str(keys), "--kill", "all"]
            subprocess.run(stop, check=False)
    if prints_pillars:
        sys.path.insert(0, str(Path(__file__).parents[1] / "generator"))
        from pillarbook.model.tagged import to_tagged  # noqa: PLC0415 (not installed beside Salt)

        tagged = {
            minion: pillar if RAISES in pillar else to_tagged(pillar)
            for minion, (_, pillar) in compiled.items()
        }
        print(json.dumps(tagged))
        return
    seconds = [took for took, _ in compiled.values()]
    print(f"{statistics.median(seconds[1:] or seconds):.6f}")


def _options(case: Path, scratch: str) -> dict[str, object]:
    declared = yaml.safe_load((case / "master").read_text())
    for name in ("pillar_roots", "file_roots"):
        declared[name] = {
            environment: [str((case / folder).resolve()) for folder in folders]
            for environment, folders in (declared.get(name) or {"base": []}).items()
        }
    if "gpg_keydir" in declared:
        declared["gpg_keydir"] = str((case / declared["gpg_keydir"]).resolve())
    declared.update(root_dir=scratch, cachedir=f"{scratch}/cache", extension_modules=f"{scratch}/x")
    file = Path(scratch) / "master"
    file.write_text(yaml.safe_dump(declared, sort_keys=False))
    options: dict[str, object] = salt.config.master_config(str(file))
    return options


def _compile(
    options: dict[str, object], minion: str, entry: dict[str, object]
) -> tuple[float, Any]:
    """Return the seconds that a minion's pillar takes, and the pillar."""
    declared: Any = entry.get("grains") or {}
    grains = {"id": minion, **declared}
    start = time.perf_counter()
    pillar = salt.pillar.Pillar(
        copy.deepcopy(options),
        grains,
        minion,
        entry.get("saltenv"),
        pillar_override=entry.get("pillar"),
        pillarenv=entry.get("pillarenv"),
    )
    try:
        compiled = pillar.compile_pillar()
    except Exception as error:  # noqa: BLE001 (what Salt's own compile breaks off with)
        compiled = {RAISES: f"{type(error).__name__}: {error}"}
    pillar.destroy()
    return time.perf_counter() - start, compiled


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name != "--pillars":
            main(Path(name), prints_pillars="--pillars" in sys.argv)
