"""Which leaves are exactly a decrypted secret, and which secret each of them is."""

from pillarbook.model import KeyPath, Leaf, Node, leaves
from pillarbook.redact.placeholders import Secret, SecretPlaceholders, identify, is_ciphertext

MARKS = ("gpg renderer", "nacl renderer")
"""The marks of renderers that decrypt; if Jinja renders after them, the whole file has the mark."""


def is_marked(node: Node) -> bool:
    """Say whether a renderer that decrypts has marked a node."""
    return isinstance(node, Leaf) and (node.secret or "").startswith(MARKS)


def find_opened(tree: Node, trial: Node, placeholders: SecretPlaceholders) -> dict[KeyPath, Secret]:
    """Return the decrypted secrets in a tree, by path.

    A leaf that is a placeholder in ``trial``, the same tree of a compile with placeholders, is the
    secret itself; other leaves are computed.
    """
    found = {}
    theirs = {path: node for path, node, _ in leaves(trial)}
    for path, node, _ in leaves(tree):
        other = theirs.get(path)
        if not (isinstance(node, Leaf) and is_marked(node) and isinstance(other, Leaf)):
            continue
        is_sealed = is_ciphertext(node.value)
        secret = identify(node.value) if is_sealed else placeholders.opened_secret(other.value)
        if secret is not None:
            found[path] = secret
    return found
