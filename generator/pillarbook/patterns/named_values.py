"""Values with their name in another key: ``{name: DB_PASSWORD, value: example}``.

Kubernetes, Terraform, Zabbix and the parameters of many programs use this form.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from pillarbook.model import Leaf
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


def names_beside(items: Mapping[Any, Any]) -> Iterator[str]:
    """Yield the names that a mapping gives to its value; none if it has no value."""
    if VALUES.isdisjoint(items):
        return
    for key in sorted(NAMING.intersection(items)):
        item = items[key]
        name = item.value if isinstance(item, Leaf) else item
        if isinstance(name, str) and len(name) <= LONGEST_NAME:
            yield name


def is_named(key: Hashable) -> bool:
    """Say whether a key is that of a value whose name is in another key."""
    return key in VALUES
