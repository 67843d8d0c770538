"""Values whose name is beside them: ``{name: DB_PASSWORD, value: x}``, ``[--db-password, x]``.

Kubernetes, Terraform, Zabbix and the parameters of many programs use these forms.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pillarbook.model import Leaf
from pillarbook.patterns.command_secrets import is_option_value, passwords_of_commands
from pillarbook.patterns.word_sets import word_set

NAMING = word_set(
    "name key variable var env macro parameter param option property attribute setting field header"
    " Name Key Variable ParameterKey parameter_key parameter_name variable_name"
)
"""Keys with the name of the value."""
VALUES = word_set(
    "value val default data default_value defaultValue Value Default ParameterValue parameter_value"
)
"""Keys of the named value."""
LONGEST_NAME = 100
"""Characters; a longer text is not a name."""
OF_MANIFEST = word_set("data stringData")
"""Keys of a secret of Kubernetes that have its values below them."""
NAME_OF_MANIFEST = "secrets"
"""The name for all values of such a secret."""
NAME_IN_COMMAND = "password"
"""The name for a password that follows an option such as ``-p``."""
MAX_WORDS = 200
"""The most words of a command; a longer list is none."""
_OPTION = re.compile(r"--?([A-Za-z][\w.-]{0,80})\Z")
_NO_VALUE = re.compile(r"--?[a-z][\w-]*\Z|id=")
"""After an option, another one, or the id of a secret as in ``docker build``."""
_WORD = re.compile(r"\S+\Z")


def names_beside(
    items: Mapping[Any, Any] | Sequence[Any],
) -> Iterator[tuple[Hashable, str]]:
    """Yield keys or list positions of members, each with a name that other members give to it."""
    if isinstance(items, Mapping):
        yield from _names_in_mapping(items)
    elif any(_text_of(item)[:1] == "-" for item in items):
        yield from _names_in_list([_text_of(item) for item in items])


def _names_in_mapping(items: Mapping[Any, Any]) -> Iterator[tuple[Hashable, str]]:
    if "kind" in items and _text_of(items["kind"]) == "Secret":
        yield from ((key, NAME_OF_MANIFEST) for key in items if key in OF_MANIFEST)
    if VALUES.isdisjoint(items):
        return
    for naming in sorted(NAMING.intersection(items)):
        name = _text_of(items[naming])
        if 0 < len(name) <= LONGEST_NAME:
            yield from ((key, name) for key in items if key in VALUES)


def _names_in_list(words: list[str]) -> Iterator[tuple[int, str]]:
    for at, (word, value) in enumerate(pairwise(words), start=1):
        option = _OPTION.match(word)
        if option and not _NO_VALUE.match(value) and is_option_value(value):
            yield at, option[1]
    command = " ".join(word if _WORD.match(word) else f'"{word}"' for word in words[:MAX_WORDS])
    for found in passwords_of_commands(command):
        password = found.strip("\"'")
        places = [at for at, word in enumerate(words) if word == password] or [
            at for at, word in enumerate(words) if word.endswith(password)
        ]
        yield from ((at, NAME_IN_COMMAND) for at in places)


def _text_of(item: Any) -> str:
    """Return a member as text; empty if it is neither text nor a number."""
    value = item.value if isinstance(item, Leaf) else item
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
