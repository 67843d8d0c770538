"""Messages about calls without answer, with the configuration that declares an answer.

An argument of a call may be secret, so a message contains only what the file contains: the name,
and arguments that are literals.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from pillarbook.compile.renderers.error_words import is_word_of, is_written
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model.unknown import COMPUTED_FUNCTION
from pillarbook.patterns.key_names import kind_of_name

RULE = "undeclared-function"
CLOCK = "undeclared-clock"
NO_ANSWER = "which has no declared answer"
NOT_IN_SALT = "which no Salt has"
DEFAULT = "default"
"""The keyword argument that replaces a missing answer."""
ANY = "*"
"""Replaces an argument that is not a literal: a glob for texts."""
# A suggestion must fit on a line, and long literals are often data.
MAX_CHARACTERS = 300
"""Characters; longer arguments are left out."""
_SECRET_NAME = re.compile(r"pass|secret|token|credential|private|api_?key", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as a file contains it."""

    name: str
    """The function: ``vault.read``; empty if it is computed."""
    args: tuple[Any, ...] = ()
    """The positional arguments; ``ANY`` for one that is not a literal."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """The named arguments."""
    line: int = 0
    """Its position."""
    choices: frozenset[str] = frozenset()
    """The functions of Salt that a computed name may be, if literals of the file name all."""


def find_call(
    calls: Collection[WrittenCall], source: str, line: int | None, name: str
) -> WrittenCall | None:
    """Return the call that an error is most likely about; None if it is unclear.

    A computed name may be a secret, so it is unclear if a call with one is as near. ``name`` is the
    missing function, or only its module.
    """
    meant = [call for call in calls if call.name == name or call.name.startswith(f"{name}.")]
    meant += choose(calls, name)
    computed = [call for call in calls if not call.name and name not in call.choices]

    def distance(call: WrittenCall) -> int:
        return abs(call.line - (line or call.line))

    if meant:
        found = min(meant, key=distance)
        near = min(map(distance, computed), default=None)
        return found if near is None or distance(found) < near else None
    if computed:
        return None
    return WrittenCall(name) if is_asked_for(source, name) else None


def choose(calls: Iterable[WrittenCall], name: str) -> list[WrittenCall]:
    """Return the calls that have a function among their choices, as calls of this function."""
    return [replace(call, name=name) for call in calls if name in call.choices]


def is_asked_for(source: str, name: str) -> bool:
    """Say whether a file contains the words of the name of a function."""
    is_written = all(is_word_of(source, word) for word in name.split("."))
    return is_written and _NAME.fullmatch(name) is not None


def describe_unanswered(
    error: RenderError,
    call: WrittenCall | None,
    why: str | None = None,
    remedy: str | None = None,
) -> None:
    """Make an error one about a call without an answer.

    ``why`` says why a known function has no answer: ``with a path outside ...``. ``remedy`` is
    another one besides a declared answer.
    """
    error.rule = RULE
    joint = ", " if why is None or why.startswith("which") else " "
    if call is None or not _NAME.fullmatch(call.name):
        error.told = f"calls {COMPUTED_FUNCTION}{joint}{why or NO_ANSWER}"
        error.help = "declare an answer in mkdocs.yml, under `functions`"
        return
    error.subject, error.subject_words = call.name, tuple(call.name.split("."))
    error.told = f"calls '{call.name}'{joint}{why or NO_ANSWER}"
    declares = f"declare an answer in mkdocs.yml: {declare(call)}"
    error.help = declares if remedy is None else f"{remedy}; or {declares}"


def describe_clock(error: RenderError) -> None:
    """Make an error one about a time that is not declared."""
    error.rule, error.told = CLOCK, "reads the clock, and no time is declared"
    error.help = (
        "Salt uses the current time, so the value changes: declare a time with `--clock TIME`,"
        " `clock:` in mkdocs.yml or SOURCE_DATE_EPOCH, or write a full date"
    )


def declare(call: WrittenCall) -> str:
    """Return the line of mkdocs.yml that declares an answer: a YAML flow mapping."""
    parts: dict[str, Any] = {}
    if call.args:
        parts["args"] = _without_secrets(list(call.args))
    if call.kwargs:
        # An answer does not depend on the default, which may be a password.
        default = {DEFAULT: ANY} if isinstance(call.kwargs.get(DEFAULT) or 0, str) else {}
        parts["kwargs"] = _without_secrets({**call.kwargs, **default})
    if not parts or len(repr(parts)) > MAX_CHARACTERS:
        return f"functions: {{{call.name}: {{'*': ...}}}}"
    written = ", ".join(f"{key}: {_flow(value)}" for key, value in parts.items())
    return f"functions: {{{call.name}: {{$calls: [{{{written}, answer: ...}}]}}}}"


def _without_secrets(value: Any) -> Any:
    """Return an argument with a glob for each member whose name is that of a secret."""
    if isinstance(value, Mapping):
        return {
            key: ANY if names_secret(key) else _without_secrets(item) for key, item in value.items()
        }
    return list(map(_without_secrets, value)) if isinstance(value, list) else value


def names_secret(name: str) -> bool:
    """Say whether a name is usually that of a secret."""
    return _SECRET_NAME.search(name) is not None or kind_of_name(name) is not None


def _flow(value: Any) -> str:
    try:
        text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6)
    except yaml.YAMLError:
        text = json.dumps(ANY)
    return text.removesuffix("\n").removesuffix("\n...")


COMPUTED = "*"
"""Replaces a key in a path that the file does not contain, such as that of a loop."""
CORE_GRAINS = frozenset(
    (
        *(
            "biosversion",
            "cpu_flags",
            "cpu_model",
            "cpuarch",
            "disks",
            "domain",
            "fqdn",
            "fqdn_ip4",
        ),
        *("fqdn_ip6", "fqdns", "gid", "host", "hwaddr_interfaces", "id", "init", "ip4_gw"),
        *("ip4_interfaces", "ip6_gw", "ip6_interfaces", "ip_gw", "ip_interfaces", "ipv4", "ipv6"),
        *("kernel", "kernelrelease", "kernelversion", "localhost", "machine_id", "manufacturer"),
        *("master", "mem_total", "nodename", "num_cpus", "num_gpus", "os", "os_family", "osarch"),
        *("oscodename", "osfinger", "osfullname", "osmajorrelease", "osrelease", "osrelease_info"),
        *("path", "productname", "pythonversion", "saltversion", "saltversioninfo", "selinux"),
        *("serialnumber", "server_id", "shell", "ssds", "swap_total", "systemd", "uuid", "virtual"),
    )
)
"""Grains that Salt sets, which a template may misspell. Source: Salt ``salt/grains/core.py``."""
HELP = "add the key, or read it with `pillar.get` and a default"


def describe_missing_grain(error: RenderError, path: tuple[Any, ...], source: str) -> None:
    """Make an error one about a grain that is not declared."""
    error.rule = "missing-grain"
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (only errors need it)

    error.subject, error.subject_words = _join(path, source)
    error.help = f"declare the grain '{error.subject}' in the inventory"
    similar = find_similar(error.subject, CORE_GRAINS)
    if similar is not None and similar != error.subject:
        error.help = f"did you mean '{similar}'? If not, {error.help}"


def _join(path: tuple[Any, ...], source: str) -> tuple[str, tuple[str, ...]]:
    """Return a path as Salt writes it, and the words in it; computed keys may be secret."""
    *above, name = map(str, path)
    keys = [one if is_word_of(source, one) else COMPUTED for one in above]
    return ":".join((*keys, name)), (*(one for one in keys if one != COMPUTED), name)


def describe_missing_key(error: RenderError, path: tuple[Any, ...], source: str) -> None:
    """Make an error one about a key that the pillar does not have.

    Does nothing if the file computes the key, which may be secret then.
    """
    if not is_written(str(path[-1]), source):
        return
    error.subject, error.subject_words = _join(path, source)
    error.missing = ("key", error.subject)
    error.told = f"does not render: the pillar has no key '{error.subject}'"
    error.help = HELP
