"""External pillars that are code: in installed packages, and in the tree.

Both run only if the tree may run code. A package names its external pillar in the entry point group
``pillarbook.ext_pillars``; a module of the tree has Salt's function ``ext_pillar``.

Source: Salt ``salt/loader/__init__.py`` (``pillars``).
"""

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pillarbook.compile.ext_pillars.interface import ExtPillar, ExtPillarContext, call_as_salt
from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.record_opened import listen
from pillarbook.compile.renderers.code.running import compile_code, run_code
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python, to_python
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.roots.tree_interface import FoundFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

GROUP = "pillarbook.ext_pillars"
RUNS_COMMAND = "it runs a command on this machine"
IS_PACKAGE = "it is code of an installed package"
IS_OF_TREE = "it is code of the tree"
HELP = "to run it, use `python: true` with --trust, or --python"


def refuse_code(what: str, remedy: str) -> ExtPillar:
    """Return an external pillar that only reports why the code was not run."""

    def refuse(context: ExtPillarContext, config: Any) -> None:  # noqa: ARG001 (not looked at)
        message = f"the external pillar '{context.name}' is not run: {what}"
        context.describe(
            "unavailable-ext-pillar", message, remedy=f"{HELP}; or {remedy}", lacks=False
        )

    return refuse


def find_entry_point(name: str) -> "EntryPoint | None":
    """Return the entry point of an installed package for an external pillar's name."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (few names need it, and it is slow)

    return next(iter(entry_points(group=GROUP, name=name)), None)


class PackagedPillar:
    """An external pillar of an installed package; loaded on first use.

    The entry point names a function or object of the interface, or a class of such objects.
    """

    def __init__(self, entry_point: "EntryPoint") -> None:
        self._entry_point = entry_point
        self._run: Callable[[ExtPillarContext, Any], Any] | None = None

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return its data; the origin of plain data is the line of the option.

        Raises:
            RenderError: It raises an exception, or cannot be loaded.
            TemplateWrites: It changed its arguments, and the compile records reads.
        """
        listen()
        visible = to_python(context.visible)
        given = CodeGlobals.of(context.salt, context.grains, visible, context.opts)
        handed = replace(context, grains=given.grains, opts=given.opts, salt=given.salt)
        try:
            if self._run is None:
                loaded = self._entry_point.load()
                self._run = loaded() if isinstance(loaded, type) else loaded
            made = self._run(handed, config)
        except (MemoryError, RenderError):
            raise
        except Exception as error:  # Salt adds an error for any exception
            given.ledger.settle()
            worded = RenderError(str(error))
            worded.clean = f"its code fails: {word_exception(error)}"
            raise worded from error
        given.ledger.settle()
        if made is None or isinstance(made, Leaf | MapNode | ListNode):
            return made
        return context.to_nodes(made)


class TreePillar:
    """A module of the tree; loaded again for each minion, as Salt does."""

    def __init__(self, module: FoundFile) -> None:
        self.shown = module.shown
        """The file, as it is shown."""
        self.path = module.full
        """The file's full path."""
        self._module = module
        self.content = module.text
        """Its text."""

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return the result of the module's ``ext_pillar``.

        Raises:
            RenderError: It raises an exception, or cannot be loaded.
            TemplateWrites: It changed its arguments, and the compile records reads.
        """
        visible = to_python(context.visible)
        given = CodeGlobals.of(context.salt, context.grains, visible, context.opts)
        names: dict[str, Any] = {
            "__name__": posixpath.basename(self._module.path).removesuffix(".py"),
            "__file__": self.path,
            "__context__": {},
            "__utils__": {},
            **given.dunders(),
        }

        def call() -> Any:
            exec(compile_code(self.content, self.path), names)  # noqa: S102 (it is trusted)
            is_there = names["__virtual__"]() if "__virtual__" in names else True
            if is_there is False or (isinstance(is_there, tuple) and is_there[0] is False):
                return None
            pillar = to_python(context.pillar)
            return call_as_salt(names["ext_pillar"], context.minion_id, pillar, config)

        result = run_code(self, given, call, named=False)
        given.ledger.settle()
        if result is None:
            return None
        code = getattr(names.get("ext_pillar"), "__code__", None)
        line = code.co_firstlineno if code is not None and code.co_filename == self.path else 1
        origin = context.new_origin((self.shown, line), None)
        return from_python(result, ValuePlaces(origin, context.pillar), context.limits)
