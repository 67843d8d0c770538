"""The command line's pillar, and the decryption for ``pillar_enc`` and ``decrypt_pillar``.

Source: Salt ``salt/modules/pillar.py`` (``items``), ``salt/utils/crypt.py`` (``decrypt``),
``salt/renderers/gpg.py`` (``translate_newlines``).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff, malformed_option
from pillarbook.compile.pillar_additions import EMPTY, error_list, listed_with, with_key
from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.compile.renderers.ciphertext import as_sent, as_text
from pillarbook.compile.renderers.decrypt_pillar import (
    DecryptFailure,
    choose_renderer,
    decrypt_pillar,
)
from pillarbook.compile.renderers.decryption_renderers import DecryptionRenderers
from pillarbook.compile.renderers.error_words import word_render_error
from pillarbook.compile.renderers.nacl import MESSAGE
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import map_leaves
from pillarbook.diagnostics import new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, MapNode, Node, Origin, Position, grow
from pillarbook.model.tree import all_leaves

LEAD = "Failed to decrypt pillar override: "
REASON = "pillar_enc"
OPTION = "decrypt_pillar"


def override_of(minion: Minion) -> MapNode:
    """Return the declared command line's pillar; empty if it is not a mapping, as in Salt."""
    if not isinstance(minion.pillar, Mapping) or not minion.pillar:
        return EMPTY
    tree = _grow(minion)
    assert isinstance(tree, MapNode)  # noqa: S101 (grown from a mapping)
    return tree


def decrypt_override(
    minion: Minion, options: Mapping[str, Any], renderers: DecryptionRenderers, *, reveals: bool
) -> MapNode:
    """Return the command line's pillar as ``pillar_enc`` decrypts it.

    Raises:
        CompileBreaksOff: It cannot be decrypted, or not in this way.
    """
    name = minion.pillar_enc
    if not minion.pillar or not name:
        return override_of(minion)
    try:
        render = choose_renderer(name, options, replace(renderers, reason=REASON))
        if name == "nacl":
            tree = _refuse_boxes(_grow(minion))
        else:
            tree = render(_translate_newlines(_grow(minion)) if name == "gpg" else _grow(minion))
    except RenderError as error:
        raise _break_off(error, minion, str(error) if reveals else None) from error
    return tree if isinstance(tree, MapNode) and tree.items else EMPTY


def _grow(minion: Minion) -> Node:
    file, lines = minion.position.file, minion.pillar_lines

    def locate(path: tuple[Any, ...], value: Any) -> Origin:
        return Origin(file, lines.get(path, minion.position.line), None, None, value)

    return grow(minion.pillar, locate)


def _translate_newlines(tree: Node) -> Node:
    r"""Return a tree with ``\n`` written as two characters made a line feed in all texts."""

    def translate(leaf: Leaf) -> Leaf:
        if not isinstance(leaf.value, str | bytes):
            return leaf
        raw = leaf.value.encode() if isinstance(leaf.value, str) else leaf.value
        value = as_text(as_sent(raw))
        if value == leaf.value:
            return leaf
        return Leaf(value, (*leaf.origins[:-1], replace(leaf.origins[-1], value=value)))

    return map_leaves(tree, translate)


def _refuse_boxes(tree: Node) -> Node:
    """Return the tree; a NaCl message is an error, since Salt has no keys there."""
    for leaf in all_leaves(tree):
        if isinstance(leaf.value, str) and MESSAGE.search(leaf.value):
            raise RenderError("'nacl.dec'", (leaf.origins[-1].file, leaf.origins[-1].line))
    return tree


def _break_off(error: RenderError, minion: Minion, words: str | None) -> CompileBreaksOff:
    clean = word_render_error(error)
    diagnostic = new_diagnostic(
        "undecryptable",
        f"{LEAD}{clean}",
        Position(*error.place) if error.place else minion.position,
        remedy="see `pillar_enc` in the inventory, and Salt's option `decrypt_pillar_renderers`",
    )
    return CompileBreaksOff(f"CommandExecutionError: {LEAD}{words or clean}", diagnostic)


def decrypt_command_line(build: PillarBuild) -> None:
    """Decrypt the command line's pillar if ``pillar_enc`` asks for it.

    Raises:
        CompileBreaksOff: Salt stops the compile.
    """
    view = build.view
    build.override = decrypt_override(
        view.minion, view.scope.options.values, _renderers(build), reveals=view.project.reveals
    )


def decrypt_merged(build: PillarBuild, pillar: MapNode, errors: list[str]) -> MapNode:
    """Return a merged pillar with the paths of ``decrypt_pillar`` decrypted.

    Values that cannot be decrypted are added to Salt's errors, also in the pillar.

    Raises:
        CompileBreaksOff: The option has a form at which Salt stops the compile.
    """
    pillar, failed = _open(build, pillar)
    if not failed:
        return pillar
    words = failed if build.view.project.reveals else [one.clean for one in failed]
    errors.extend(words)
    place = build.position_of(OPTION)
    build.note(*(new_diagnostic("undecryptable", one.clean, place) for one in failed))
    return with_key(pillar, "_errors", error_list(build, listed_with(pillar, words)))


def _open(build: PillarBuild, pillar: MapNode) -> tuple[MapNode, list[DecryptFailure]]:
    try:
        return decrypt_pillar(pillar, build.view.scope.options.values, _renderers(build))
    except RenderError as error:
        message = f"Salt stops at the option `{OPTION}`: {error}"
        fault = malformed_option(message, build.position_of(OPTION), OPTION)
        raise CompileBreaksOff(f"AttributeError: {error}", fault) from error


def _renderers(build: PillarBuild) -> DecryptionRenderers:
    project = build.view.project
    options = build.view.scope.options.values
    return DecryptionRenderers(project.renderers, options, project.decryptor, project.limits)
