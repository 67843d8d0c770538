"""The mappings of Salt's strategy ``aggregate``, which print as YAML on one line.

Source: Salt ``salt/serializers/yamlex.py`` (``SLSMap``, ``serialize``).
"""

from collections import OrderedDict
from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.plain_data import to_plain


class SlsMap(OrderedDict[Any, Any]):
    """A mapping that prints as YAML instead of Python."""

    def __str__(self) -> str:
        text: str = yaml.dump(to_plain(self), Dumper=_Dumper, default_flow_style=True)
        return text.removesuffix("\n")

    __repr__ = __str__


class _Dumper(yaml.SafeDumper):
    """PyYAML's own dumper in Python; it takes subclasses, and sorts the keys of ``dict`` alone."""


_Dumper.add_multi_representer(str, _Dumper.represent_str)
_Dumper.add_multi_representer(list, _Dumper.represent_list)
_Dumper.add_multi_representer(tuple, _Dumper.represent_list)
_Dumper.add_multi_representer(set, _Dumper.represent_set)
_Dumper.add_multi_representer(
    dict,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", list(data.items())),
)
