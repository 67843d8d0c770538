"""Prints the execution functions of some Salts, a module in each line, for ``known_functions``.

    known_functions.py FOLDER... > generator/pillarbook/compile/renderers/jinja/functions/salt.txt

Each folder has the files of execution modules. They are read and not loaded: which of them load
depends on the machine.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAKERS = ("alias_function", "namespaced_function")
"""What gives a module another name for a function."""


def main(folders: list[str]) -> None:
    found: dict[str, set[str]] = {}
    for folder in folders:
        for file in sorted(Path(folder).glob("*.py")):
            module = ast.parse(file.read_text())
            constants = dict(find_constants(module))
            name = str(constants.get("__virtualname__", file.stem))
            aliases = constants.get("__func_alias__", {})
            names = (aliases.get(one, one) for one in find_names(module))
            found.setdefault(name, set()).update(one for one in names if one[0] != "_")
    for name, functions in sorted(found.items()):
        if functions and name != "__init__":
            sys.stdout.write(f"{name}: {' '.join(sorted(functions))}\n")


def find_constants(module: ast.Module) -> Iterator[tuple[str, Any]]:
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                yield node.targets[0].id, ast.literal_eval(node.value)
            except ValueError:
                continue


def find_names(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            maker = ast.unparse(node.value.func).rpartition(".")[2]
            if maker in MAKERS and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id


main(sys.argv[1:])
