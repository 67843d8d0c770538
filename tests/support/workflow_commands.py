"""GitHub's runner, as far as it reads what a step prints: lines that are workflow commands.

Made after the documented rules and the runner's ``ActionCommand``: ``::name key=value,...::data``
at the beginning of a line, and the older ``##[name key=value;...]data`` anywhere in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

NAMES = frozenset(
    {"error", "warning", "notice", "debug", "group", "endgroup", "echo", "add-mask"}
    | {"stop-commands", "add-matcher", "remove-matcher", "add-path", "set-env", "set-output"}
    | {"save-state", "internal-set-repo-path"}
)
DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
PROPERTY = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}


@dataclass(frozen=True, slots=True)
class Command:
    """What the runner takes a line for."""

    name: str
    properties: Mapping[str, str]
    data: str


def read_commands(printed: str) -> Iterator[Command | None]:
    """Yield what each line of an output is; None where it is no command."""
    for line in re.split(r"\r\n|\r|\n", printed)[:-1]:
        yield read_command(line)


def read_command(line: str) -> Command | None:
    """Return what a line is; None where it is no command."""
    text = line.lstrip()
    end = text.find("::", 2)
    if text.startswith("::") and end >= 0:
        command = _command(text[2:end], text[end + 2 :], ",")
        if command is not None:
            return command
    start = line.find("##[")
    end = line.find("]", start)
    return _command(line[start + 3 : end], line[end + 1 :], ";") if -1 < start < end else None


def _command(info: str, data: str, comma: str) -> Command | None:
    name, _, rest = info.partition(" ")
    if name.lower() not in NAMES:
        return None
    pairs = (pair.split("=", 1) for pair in rest.strip().split(comma) if pair)
    properties = {pair[0]: _unescape(pair[1], PROPERTY) for pair in pairs if len(pair) == 2}
    return Command(name, properties, _unescape(data, DATA))


def _unescape(text: str, escapes: Mapping[str, str]) -> str:
    for written, meant in escapes.items():
        text = text.replace(written, meant)
    return text


def read_annotations(printed: str) -> Sequence[Command]:
    """Return the commands of an output that holds nothing else."""
    commands = list(read_commands(printed))
    found = [command for command in commands if command is not None]
    assert len(found) == len(commands), printed
    return found
