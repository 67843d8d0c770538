"""Say how a job ends, and hand its comment over.

    conclude.py COMPARED CHECKED BUILT

The arguments are the exit codes of comparing, checking and building; ``-`` is one that was not
asked for. Reads ``PILLAR_OUT``, ``PILLAR_HEAD`` and ``PILLAR_FAIL_ON``; writes ``outcome``,
``code`` and, where there was a comparison, ``comment/comment.json``.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ALARMS = ("newly failing", "empty", "new errors", "states newly failing", "states empty")
"""What may become of a minion that nobody wants."""
SAME = {"unchanged", "still failing", "states unchanged", "states still failing"}
"""What says nothing of the change."""
OLDER_WORDS = {"new": "new-failure", "never": "none"}
"""What ``fail-on`` may be called, too."""
FAILED = 1
FINDINGS = 2
LEAK = 3
KNOWN = (None, 0, FINDINGS)
"""Exit codes of what came to its end."""


def main(environment: Mapping[str, str], codes: list[str]) -> None:
    """Write the result of a job."""
    out = Path(environment["PILLAR_OUT"])
    compared, checked, built = (None if code == "-" else int(code) for code in codes)
    diff = read_diff(out) if compared == 0 else None
    if compared is not None:
        state = "failed" if diff is None else "unchanged" if is_quiet(out, diff) else "compared"
        write_comment(out, environment.get("PILLAR_HEAD", ""), state)
    fail_on = environment["PILLAR_FAIL_ON"]
    code = judge(OLDER_WORDS.get(fail_on, fail_on), diff, (compared, checked, built))
    (out / "code").write_text(f"{code}\n")
    (out / "outcome").write_text(f"{name_outcome(diff, code)}\n")


def read_diff(out: Path) -> dict[str, int]:
    """Return how many minions each word is true of, those for their states behind ``states``.

    What failed before and has new errors counts as ``new errors``, too, and what still fails with
    other values as ``changed``.
    """
    minions: dict[str, Any] = json.loads((out / "diff.json").read_text())["minions"]
    words = [one["outcome"] for one in minions.values()]
    states = [one["states_outcome"] for one in minions.values() if one.get("states_outcome")]
    words += [f"states {one['outcome']}" for one in states]
    words += ["new errors" for one in (*minions.values(), *states) if one["new_faults"]]
    words += ["changed" for one in minions.values() if one["changed"] and one["outcome"] in SAME]
    return {word: words.count(word) for word in dict.fromkeys(words)}


def is_quiet(out: Path, diff: Mapping[str, int]) -> bool:
    """Say whether a comment would tell nothing: nothing changed, and there are no remarks."""
    data = json.loads((out / "diff.json").read_text())
    is_told = any(data[name] for name in ("atoms", "states", "notes"))
    is_told |= any(one["code"] == "not-compared" for one in data["diagnostics"])
    taken = out / "taken"  # says whether the head has another configuration than the base
    is_told |= taken.is_file() and bool(taken.read_text())
    return not is_told and set(diff) <= SAME


def write_comment(out: Path, head: str, state: str) -> None:
    """Write what the job that posts gets."""
    data = {
        "schema": "pillarbook.comment/1",
        "head": head,
        "state": state,
        "markdown": "" if state == "failed" else (out / "comment.md").read_text(),
    }
    folder = out / "comment"
    folder.mkdir(exist_ok=True)
    (folder / "comment.json").write_text(json.dumps(data))


def judge(
    fail_on: str, diff: Mapping[str, int] | None, codes: tuple[int | None, int | None, int | None]
) -> int:
    """Return the exit code of the job: differences alone are no fault.

    ``fail_on`` is a severity; ``new-failure`` for what the change itself breaks; ``none``. ``diff``
    says how many minions each word is true of; None where nothing was compared. The ``codes`` are
    those of comparing, checking and building.
    """
    if LEAK in codes:
        return LEAK
    if any(code not in KNOWN for code in codes):
        return FAILED
    if fail_on == "none":
        return 0
    if diff is not None and any(diff.get(word) for word in ALARMS):
        return FINDINGS
    checked = codes[1]
    is_judged = fail_on != "new-failure" or diff is None
    return FINDINGS if is_judged and checked == FINDINGS else 0


def name_outcome(diff: Mapping[str, int] | None, code: int) -> str:
    """Return one word for what a later step may want to know."""
    if code in (FAILED, LEAK):
        return "failed"
    if diff is None:
        return "checked"
    if any(diff.get(word) for word in ALARMS):
        return "broken"
    return "changed" if set(diff) - SAME else "unchanged"


if __name__ == "__main__":
    main(os.environ, sys.argv[1:])
