"""Prints what Salt has for authors of pillar, by name; run by a Python that has Salt installed.

    salt_names.py > tests/data/salt-names.json

Modules are read and not loaded: which of them load depends on the machine. Filters, tests and
globals register where a module is loaded.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import salt
import salt.modules.dnsutil
import salt.utils.data
import salt.utils.dateutils
import salt.utils.files
import salt.utils.hashutils
import salt.utils.http
import salt.utils.jinja
import salt.utils.network
import salt.utils.path
import salt.utils.stringutils
import salt.utils.templates
import salt.utils.user
import salt.version
from salt.utils.decorators.jinja import JinjaFilter, JinjaGlobal, JinjaTest

HERE = Path(salt.__file__).parent


def read_modules(kind: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((HERE / kind).glob("*.py")):
        if path.stem != "__init__":
            yield path.stem, ast.parse(path.read_text())


def find_constants(module: ast.Module) -> dict[str, Any]:
    found = {}
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def name_of(stem: str, module: ast.Module) -> str:
    return str(find_constants(module).get("__virtualname__", stem))


def find_functions() -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for stem, module in read_modules("modules"):
        aliases = find_constants(module).get("__func_alias__", {})
        names = found.setdefault(name_of(stem, module), set())
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                names.add(aliases.get(node.name, node.name))
    return {name: sorted(functions) for name, functions in sorted(found.items()) if functions}


def find_jinja() -> dict[str, list[str]]:
    environment = salt.utils.jinja.jinja2.Environment(
        extensions=[salt.utils.jinja.SerializerExtension]
    )
    return {
        "filters": sorted({*environment.filters, *JinjaFilter.salt_jinja_filters}),
        "tests": sorted({*environment.tests, *JinjaTest.salt_jinja_tests}),
        # Salt adds two by hand, beside those that its decorator knows.
        "globals": sorted(
            {*environment.globals, *JinjaGlobal.salt_jinja_globals, "odict", "show_full_context"}
        ),
    }


def main() -> None:
    names: dict[str, Any] = {
        "version": str(salt.version.__version__),
        "renderers": [name_of(*one) for one in read_modules("renderers")],
        "ext_pillars": [
            name_of(stem, module) for stem, module in read_modules("pillar") if stem != "sql_base"
        ],
        **find_jinja(),
        "functions": find_functions(),
    }
    json.dump(names, sys.stdout, indent=1)
    sys.stdout.write("\n")


main()
