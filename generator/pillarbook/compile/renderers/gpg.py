"""The ``gpg`` renderer: decrypts PGP messages in text and in data.

Source: Salt ``salt/renderers/gpg.py``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from pillarbook.compile.renderers.ciphertext import MESSAGE, digest_of, holds_message, is_ciphertext
from pillarbook.compile.renderers.pgp_recipients import find_recipients, word_recipients
from pillarbook.compile.renderers.render_context import (
    Decryptor,
    MetMessage,
    RenderContext,
    Rendered,
)
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import map_leaves, secret_leaf
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.model import Leaf, Node, Origin, leaves
from pillarbook.model.tree import all_leaves

REASON = "gpg renderer"
BEFORE_A_VALUE = re.compile(r"""(?:[|>][0-9+-]*[ \t]*(?:[ \t]#.*)?\n[ \t]+|["'])\Z""")
"""The text before a message that is a whole YAML scalar, in block or quoted style."""


class SealedError(RenderError):
    """An SLS is ciphertext as a whole, or before the YAML is parsed, and there is no key."""

    def __init__(self, place: Line) -> None:
        super().__init__("the SLS is encrypted, and it is not decrypted", place, rule="sealed-sls")
        self.help = (
            "to decrypt it with the master's gpg_keydir, use `decrypt: true` in mkdocs.yml and"
            " `--trust`, or --reveal"
        )


def render(context: RenderContext, data: Rendered, _argline: str) -> Rendered:
    """Return text or data with its messages decrypted; unchanged if they stay sealed.

    Raises:
        SealedError: The text cannot be parsed without decryption.
        DecryptError: A message cannot be decrypted, and the options say that it must be.
    """
    decryptor = context.decryptor
    if isinstance(data, SourceText):
        return _decrypt_source(data, context)
    if not decryptor.sealed:
        context.messages.extend(find_messages(data))
    return decrypt_tree(data, decryptor, REASON)


def find_messages(tree: Node) -> Iterator[MetMessage]:
    """Yield the leaves of a tree with PGP messages, each once for all its paths."""
    seen: set[int] = set()
    for path, leaf, origins in leaves(tree):
        value = leaf.value if isinstance(leaf, Leaf) else None
        if holds_message(value) and origins and id(leaf) not in seen:
            seen.add(id(leaf))
            place = origins[-1].file, origins[-1].line
            yield MetMessage(place, path, find_recipients(value))


def decrypt_tree(tree: Node, decryptor: Decryptor, reason: str, *, mark_all: bool = False) -> Node:
    """Return a tree with the messages in its leaves decrypted; keys stay.

    If ``mark_all``, all other text in the tree is secret, too.

    Raises:
        DecryptError: A message cannot be decrypted, and the options say that it must be.
    """

    def decrypt_leaf(leaf: Leaf) -> Leaf:
        if not isinstance(leaf.value, str | bytes):
            return leaf
        try:
            value, held = decryptor.decrypt_text(leaf.value)
        except RenderError as error:
            if leaf.origins and error.place is None:
                error.place = leaf.origins[-1].file, leaf.origins[-1].line
            raise
        secret = reason if mark_all and value else leaf.secret
        if held:
            secret = reason if decryptor.sealed else _name_recipients(reason, leaf.value)
        if value is leaf.value and secret == leaf.secret:
            return leaf
        if secret is None:
            return Leaf(value, _give(leaf.origins, value))
        opened = held and not decryptor.sealed
        ciphertext = digest_of(leaf.value) if opened else None
        return secret_leaf(value, leaf.origins, secret, ciphertext)

    texts = [leaf.value for leaf in all_leaves(tree) if isinstance(leaf.value, str | bytes)]
    decryptor.prefetch(texts)
    return map_leaves(tree, decrypt_leaf)


def _give(origins: tuple[Origin, ...], value: object) -> tuple[Origin, ...]:
    """Return origins of which the last one has the decrypted value."""
    if not origins or origins[-1].value is value:
        return origins
    return (*origins[:-1], replace(origins[-1], value=value))


def _name_recipients(reason: str, message: str | bytes) -> str:
    """Return a reason with the recipients of the message."""
    words = word_recipients(find_recipients(message))
    return f"{reason}, for {words}" if words else reason


def _decrypt_source(source: SourceText, context: RenderContext) -> SourceText:
    decryptor = context.decryptor
    matches = list(MESSAGE.finditer(source.text)) if is_ciphertext(source.text) else []
    if not matches:
        return source
    if decryptor.sealed:
        return _seal(source, matches, decryptor)
    context.messages.extend(
        MetMessage(source.locate(match.start()), None, find_recipients(match.group()))
        for match in matches
    )
    decryptor.prefetch([source.text])
    opened = [_open(match, source, decryptor) for match in matches]
    for match, clear in zip(reversed(matches), reversed(opened), strict=True):
        source = source.splice(
            match.start(), match.end(), clear, _name_recipients(REASON, match.group())
        )
    end = len(source.text.rstrip("\n"))
    return source.splice(end, len(source.text), "")


def _seal(source: SourceText, matches: list["re.Match[str]"], decryptor: Decryptor) -> SourceText:
    """Return a text in which each message is a value that can stay, with its position noted."""
    for match in reversed(matches):
        if not BEFORE_A_VALUE.search(source.text, 0, match.start()):
            raise SealedError(source.locate(match.start()))
        message = decryptor.decrypt_message(match.group().encode()).decode()
        source = source.splice(match.start(), match.end(), message, REASON)
    return source


def _open(match: "re.Match[str]", source: SourceText, decryptor: Decryptor) -> str:
    try:
        return decryptor.decrypt_message(match.group().encode()).decode()
    except UnicodeDecodeError as error:
        place = source.locate(match.start())
        raise RenderError("'bytes' object has no attribute 'read'", place) from error
    except RenderError as error:
        error.place = error.place or source.locate(match.start())
        raise
