"""Prints pillars as the real Salt's commands do; run by a Python that has Salt installed.

    salt_dumps.py EXPECTED.json FORM

EXPECTED is what Salt compiled, in tagged JSON. Each pillar goes through Salt's own transport, as it
does from the master to the minion and back, and through Salt's own outputter. The forms:

    stream   salt '*' pillar.items unmask=True --out=json
    static   the same with --static
    pretty   the same with --out-indent=pretty, which sorts keys
    masked   salt '*' pillar.items --out=json
    call     salt-call pillar.items unmask=True --out=json, on the first minion
    local    salt-call --local pillar.items unmask=True --out=json, on the first minion
"""

import base64
import datetime as dt
import json
import sys
from pathlib import Path
from typing import Any

import salt.output.json_out
import salt.payload
import salt.utils.secret

READERS: dict[str, Any] = {
    "$map": lambda body: {read_tagged(key): read_tagged(item) for key, item in body},
    "$set": lambda body: {read_tagged(item) for item in body},
    "$datetime": dt.datetime.fromisoformat,
    "$date": dt.date.fromisoformat,
    "$bytes": base64.b64decode,
}


def read_tagged(value: Any) -> Any:
    if isinstance(value, list):
        return [read_tagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), None)
    if len(value) == 1 and tag in READERS:
        return READERS[tag](value[tag])
    return {key: read_tagged(item) for key, item in value.items()}


def send(data: Any) -> Any:
    return salt.payload.loads(salt.payload.dumps(data))


def show(data: Any, **options: Any) -> str:
    vars(salt.output.json_out)["__opts__"] = options
    return f"{salt.output.json_out.output(data)}\n"


def mask(pillar: Any) -> Any:
    return send(salt.utils.secret.serial(salt.utils.secret.hide(send(pillar))))


def print_dump(pillars: dict[str, Any], form: str) -> str:
    first = next(iter(pillars))
    sent = {minion: send(send(pillar)) for minion, pillar in pillars.items()}
    if form == "stream":
        return "".join(show({minion: pillar}) for minion, pillar in sent.items())
    if form == "static":
        return show(sent)
    if form == "pretty":
        return "".join(show({one: sent[one]}, output_indent="pretty") for one in sent)
    if form == "masked":
        return "".join(show({minion: mask(pillar)}) for minion, pillar in pillars.items())
    return show({"local": sent[first] if form == "call" else pillars[first]})


if __name__ == "__main__":
    compiled = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(print_dump(read_tagged(compiled), sys.argv[2]))
