"""Writes nested mappings and lists as XML.

Source: Salt ``salt/utils/jinja.py`` (``SerializerExtension.format_xml``).
"""

from collections.abc import Iterable
from typing import Any
from xml.dom import minidom
from xml.etree import ElementTree as ET

from jinja2 import TemplateRuntimeError
from markupsafe import Markup


def format_xml(value: Any) -> Markup:
    """Return XML over several lines.

    The value is ``{tag: content}``; of several tags the last one counts. Content that is text or a
    number is the element's text; a mapping's scalars are attributes, its mappings and lists are
    elements below; a list is that many elements of the same tag.

    Raises:
        TemplateRuntimeError: Content of another kind.
    """
    root = _build(_pairs(value), None)
    if root is None:
        raise TypeError("the XML has no element")
    written = minidom.parseString(ET.tostring(root))  # noqa: S318 (reads what it wrote itself)
    return Markup(written.toprettyxml(indent=" "))  # noqa: S704 (marked as Salt marks it)


def _build(pairs: Iterable[Any], parent: ET.Element | None) -> ET.Element | None:
    element: ET.Element | None = None
    for tag, content in pairs:
        if isinstance(content, list):
            for item in content:
                _build([(tag, item)], parent)
        else:
            element = _element(tag, content, parent)
        if isinstance(content, str | int | float):
            continue
        for child in _pairs(content):
            if isinstance(child[1], dict | list):
                _build([child], element)
    return element


def _element(tag: Any, content: Any, parent: ET.Element | None) -> ET.Element:
    element = ET.Element(tag) if parent is None else ET.SubElement(parent, tag)
    if isinstance(content, str | int | float):
        element.text = str(content)
    elif isinstance(content, dict):
        scalars = {key: one for key, one in content.items() if not isinstance(one, dict | list)}
        element.attrib = {key: str(one) for key, one in scalars.items()}
    return element


def _pairs(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return list(value.items())
    if not isinstance(value, list | tuple):
        raise TemplateRuntimeError("Value is not a dict or list. Cannot render as XML")
    return value if isinstance(value[0], str) else []
