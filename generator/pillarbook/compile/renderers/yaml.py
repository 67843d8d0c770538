"""The ``yaml`` renderer.

Source: Salt ``salt/renderers/yaml.py``.
"""

import yaml

from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_loader import BadValueError, load_tree
from pillarbook.compile.renderers.yaml_scalars import DuplicateKeyError
from pillarbook.model import Leaf, MapNode, Node

TAB = "found character '\\t' that cannot start any token"
NO_START = "cannot start any token"
FOREIGN = (yaml.YAMLError, UnicodeEncodeError, BadValueError, RecursionError)
"""Exceptions that Salt passes on, unlike errors of the scanner, parser and constructor."""


def render(context: RenderContext, data: Rendered, _argline: str) -> Node:
    """Return the tree of a YAML document; an empty or falsy one is an empty mapping.

    Raises:
        RenderError: With Salt's words; for a scanner error, only the problem.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'", foreign=True)
    context.document = data
    if context.parsed is None:
        return _load(data, context)
    return context.parsed.find(context.sls, context.saltenv, data, lambda: _load(data, context))


def _load(data: SourceText, context: RenderContext) -> Node:
    try:
        tree = load_tree(data, context.new_origin, context.limits)
    except yaml.scanner.ScannerError as error:
        message = "Illegal tab character" if error.problem == TAB else str(error.problem)
        worded = RenderError(message, place_of_error(data, error), rule="yaml-error")
        worded.help = find_remedy(data, error)
        raise worded from error
    except DuplicateKeyError as error:
        raise _explain_duplicate(data, error) from error
    except (yaml.parser.ParserError, yaml.constructor.ConstructorError) as error:
        worded = RenderError(str(error), place_of_error(data, error), rule="yaml-error")
        from pillarbook.compile.renderers.yaml_tags import explain_tag  # noqa: PLC0415 (on use)

        explain_tag(worded, data, error)
        raise worded from error
    except FOREIGN as error:
        raise _explain_foreign(data, error) from error
    if tree is None or is_falsy(tree):
        return MapNode({}, (context.new_origin(data.locate(0), {}),), kind="plain")
    return tree


def _explain_foreign(data: SourceText, error: Exception) -> RenderError:
    """Return the error for an exception that Salt passes on."""
    message, place = str(error), data.locate(0)
    if isinstance(error, yaml.YAMLError):
        place = place_of_error(data, error)
    elif isinstance(error, UnicodeEncodeError):  # half of a surrogate pair
        place = data.locate(error.start)
    elif isinstance(error, BadValueError):
        place = data.locate(error.offset)
    else:
        message = "maximum recursion depth exceeded"
    return RenderError(message, place, rule="yaml-error", foreign=True)


def is_falsy(tree: Node) -> bool:
    """Say whether Python considers the data of a tree false."""
    return not (tree.value if isinstance(tree, Leaf) else tree.items)


def find_remedy(data: SourceText, error: yaml.MarkedYAMLError) -> str | None:
    """Return the remedy for a character that YAML reserves; others are in ``common_mistakes``."""
    if NO_START not in str(error.problem):
        return None
    if data.text[_offset(data, error.problem_mark) :].startswith("\t"):
        return "YAML needs spaces for indentation: replace the tab with spaces"
    return "quote the text that begins there: this character is reserved in YAML"


def _explain_duplicate(data: SourceText, error: DuplicateKeyError) -> RenderError:
    worded = RenderError(str(error), place_of_error(data, error), rule="duplicate-key")
    worded.subject = str(error.key)
    if len(set(error.texts)) > 1:
        worded.subject_words = error.texts
    first = error.first + data.text.startswith("\ufeff")
    worded.related = data.locate(min(first, max(len(data.text) - 1, 0)))
    worded.help = "keep one of them: Salt rejects the whole file"
    return worded


def place_of_error(data: SourceText, error: yaml.YAMLError) -> Line:
    """Return the position of a YAML error; for a duplicate key, that of the second key."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return data.locate(min(getattr(error, "position", 0), max(len(data.text) - 1, 0)))
    return data.locate(_offset(data, mark))


def _offset(data: SourceText, mark: yaml.Mark | None) -> int:
    """Return the index of a mark in the text; at most the end of the text."""
    if mark is None:
        return 0
    offset = mark.index + data.text.startswith("\ufeff")  # libyaml does not count it
    return min(offset, max(len(data.text) - 1, 0))
