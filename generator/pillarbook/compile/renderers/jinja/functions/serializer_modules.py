"""Salt's serializers ``json`` and ``yaml``, for ``slsutil.serialize`` and ``deserialize``.

Their YAML is PyYAML's own, other than that of SLS files: dates are dates, 0644 is octal.

Source: Salt ``salt/serializers/json.py``, ``salt/serializers/yaml.py``.
"""

import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError, SaltTemplateError
from pillarbook.compile.renderers.jinja.plain_data import to_plain


class _Dumper(yaml.CSafeDumper):
    """PyYAML's safe dumper, which takes subclasses too."""


_Dumper.add_multi_representer(str, _Dumper.represent_str)
_Dumper.add_multi_representer(tuple, _Dumper.represent_list)
_Dumper.add_multi_representer(OrderedDict, _Dumper.represent_dict)
_Dumper.add_multi_representer(set, _Dumper.represent_set)


def find_serializer(name: str) -> Callable[..., Any]:
    """Return what writes a format."""
    return _find({"json": _write_json, "yaml": _write_yaml}, name)


def find_deserializer(name: str) -> Callable[..., Any]:
    """Return what reads a format."""
    return _find({"json": _read_json, "yaml": _read_yaml}, name)


def _find(known: dict[str, Callable[..., Any]], name: str) -> Callable[..., Any]:
    if name not in known:
        raise SaltFunctionError(f"Serializer '{name}' not found.")
    return known[name]


def _write_json(value: Any, **options: Any) -> str:
    options.setdefault("ensure_ascii", False)
    try:
        return json.dumps(to_plain(value), **options)
    except (TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error


def _read_json(text: Any, **_options: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error


def _write_yaml(value: Any, **options: Any) -> str:
    options.setdefault("default_flow_style", None)
    try:
        text: str = yaml.dump(to_plain(value), Dumper=_Dumper, **options)
    except yaml.YAMLError as error:
        raise SaltTemplateError(str(error)) from error
    return text.removesuffix("\n").removesuffix("\n...")


def _read_yaml(text: Any, **_options: Any) -> Any:
    try:
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error
