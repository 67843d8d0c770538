"""What a template loads from YAML in which something is not known: ``load_yaml``, ``import_yaml``.

As in an SLS file, an answer is assumed not to end the scalar in which it is printed.
"""

from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.renderers.unknown_text import mark_unknown
from pillarbook.model import ListNode, MapNode, Node, Origin, grow
from pillarbook.model.unknown import unknown_of


def load_unknown(answers: UnknownAnswers, value: Any, text: str, data: Any) -> Any:
    """Return loaded data with what is not known in it; something unknown if more may hang on that.

    ``text`` is the text of the value, with tokens, and ``data`` what is loaded from it.
    """
    tree = grow(data, lambda _, one: Origin("", 1, None, None, one))
    try:
        marked = mark_unknown(tree, text, answers)
    except yaml.YAMLError:
        marked = None
    if marked is None or data.__class__ is not dict:
        return answers.derive(value)
    return _restore(answers, value, data, marked)


def _restore(answers: UnknownAnswers, value: Any, data: Any, node: Node) -> Any:
    if isinstance(data, str) and unknown_of(node) is not None:
        return answers.join((data,))
    if unknown_of(node) is not None or (isinstance(node, MapNode) and node.kind == "open"):
        made = answers.derive(value)
        made.has_lines = False  # a container is printed on one line
        return made
    if isinstance(node, MapNode):
        return {key: _restore(answers, value, data[key], item) for key, item in node.items.items()}
    if isinstance(node, ListNode):
        members = zip(data, node.items, strict=True)
        return [_restore(answers, value, one, item) for one, item in members]
    return data
