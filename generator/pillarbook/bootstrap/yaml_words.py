"""Values as words of YAML, plain where they can be."""

from typing import Any

import yaml

_ENDLESS = 1 << 30


def as_yaml(value: Any) -> str:
    """Return a value on one line of YAML, as it is read back."""
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=_ENDLESS, sort_keys=False
    )
    return text.removesuffix("\n").removesuffix("\n...").removesuffix("\n")
