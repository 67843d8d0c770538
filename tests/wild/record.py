"""Record what the real Salt gives for some small trees: ``python -m tests.wild.record``.

Writes case folders that the conformance test reads; what Salt would
run in them has other names (see ``trees.py``), so that reading them runs nothing.
"""

import json
import shutil
import tempfile
from pathlib import Path

from benchmarks.wild import PROFILES
from tests.support.fleets import CASES
from tests.wild.trees import FEW_MINIONS, ROLES, ask_salt, write_roles_tree, write_tree

SEED = 7
PIECES = 7
NOT_PART = ("mkdocs.yml", "docs", "gpgkeys")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pillars = ask_salt(write_roles_tree(Path(scratch), FEW_MINIONS))
    ROLES.write_text(json.dumps(pillars, indent=1) + "\n")
    for profile in PROFILES:
        folder = CASES / "wild" / profile
        shutil.rmtree(folder, ignore_errors=True)
        tree = write_tree(folder, profile, SEED, PIECES)
        pillars = ask_salt(tree)
        for name in NOT_PART:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        master = folder / "master"
        master.write_text(master.read_text().replace('"gpgkeys"', '"../../gpgkeys"'))
        (folder / "expected.json").write_text(json.dumps(pillars, indent=1) + "\n")
        about = f"A generated tree of the kind '{profile}', seed {SEED}, as benchmarks/wild.py writes it."
        (folder / "about.txt").write_text(about + "\n")


if __name__ == "__main__":
    main()
