"""Reuses the trees of parsed documents, also for documents that differ only in words.

A template that prints ``grains.id`` gives another text for each minion, but the same document:
literal text stays, and expressions print words such as ``web1``, or text with such words. A word
without any special meaning in YAML can replace another one without other changes. So the tree of
the first document is reused: only scalars with such words, and the containers above them, are made
again.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.yaml_outline import Outline, WordSpan
from pillarbook.model import Node

WORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?")
"""A word that may replace another one anywhere in a scalar: letters and digits at both ends, and
only ``_``, ``.`` and ``-`` in between."""
MAX_IDLE = 100
"""The most outlines of a family that are made while none of them was useful.

An outline takes as long as parsing, and each host has another one if its name is a key.
"""


@dataclass(slots=True)
class ParsedDocuments:
    """The documents that one run has parsed."""

    # By the segments as well, because the origins in the tree depend on them, and two templates may
    # print the same text. Kept to the end of the run.
    texts: dict[Hashable, list[tuple[tuple[Segment, ...], Node]]] = field(default_factory=dict)
    """Trees by SLS and text, each with its segments."""
    families: dict[Hashable, "Family"] = field(default_factory=dict)
    """Similar documents, by SLS and text without words."""

    def find(self, sls: str, saltenv: str, data: SourceText, load: Callable[[], Node]) -> Node:
        """Return the tree of a text; it is loaded only if no other document can be reused."""
        key = (sls, saltenv, data.text)
        for segments, known in self.texts.get(key, ()):
            if segments == data.segments:
                return known
        words, rest = leave_out_words(data)
        family = self.families.get((sls, saltenv, *rest)) if words else None
        tree = family.fill(data.text, words) if family is not None else None
        if tree is None:
            tree = load()
            self.texts.setdefault(key, []).append((data.segments, tree))
            if words:
                family = self.families.setdefault((sls, saltenv, *rest), Family())
                family.note(data.text, words, tree)
        return tree

    def family_of(self, sls: str, saltenv: str, data: SourceText) -> "Family | None":
        """Return the documents that differ from a text only in words."""
        words, rest = leave_out_words(data)
        return self.families.get((sls, saltenv, *rest)) if words else None


def leave_out_words(data: SourceText) -> tuple[list[WordSpan], tuple[Hashable, ...]]:
    """Return the positions of printed words, and the rest of the text with its segments."""
    words: list[WordSpan] = []
    rest: list[Hashable] = []
    ends = [segment.start for segment in data.segments[1:]]
    ends.append(len(data.text))
    for segment, end in zip(data.segments, ends, strict=True):
        # A document with a secret is never reused.
        if segment.secret is not None:
            return [], ()
        rest.append((segment.file, segment.line, segment.verbatim))
        at = segment.start
        for word in () if segment.verbatim else WORD.finditer(data.text, at, end):
            rest.append(data.text[at : word.start()])
            words.append(word.span())
            at = word.end()
        rest.append(data.text[at:end])
    return words, tuple(rest)


@dataclass(slots=True, eq=False)
class Family:
    """Documents that differ in words only; those with the same keys share an outline."""

    fixed: tuple[int, ...] | None = None
    """Indexes of the words that are not in values, but in keys, comments or folded blocks."""
    outlines: dict[tuple[str, ...], "Outline"] = field(default_factory=dict)
    """Outlines by these words."""
    served: int = 0
    """How often one of them was found."""
    noted: list[tuple[str, list[WordSpan], Node]] = field(default_factory=list)
    """Loaded documents without outline, because most documents have no similar one."""

    def note(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Note a loaded document; its outline is made when there is a similar one."""
        self.noted.append((text, words, tree))

    def fill(self, text: str, words: list[WordSpan]) -> Node | None:
        """Return the tree of a text with these words, if there is an outline for it."""
        outline = self.outline_of(text, words)
        if outline is None:
            return None
        return outline.fill(text[start:end] for start, end in outline.spans(words))

    def outline_of(self, text: str, words: list[WordSpan]) -> Outline | None:
        """Return the outline for a text with these words, if there is one."""
        for one in self.noted if len(self.outlines) <= MAX_IDLE + self.served else ():
            self.learn(*one)
        self.noted.clear()
        if self.fixed is None:
            return None
        found = self.outlines.get(self._fixed_words(text, words))
        self.served += found is not None
        return found

    def learn(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Add the outline of a loaded document."""
        outline, fixed = Outline.of(text, tree, words)
        if outline is None or self.fixed not in (None, fixed):
            return
        self.fixed = fixed
        self.outlines[self._fixed_words(text, words)] = outline

    def _fixed_words(self, text: str, words: list[WordSpan]) -> tuple[str, ...]:
        return tuple(text[words[number][0] : words[number][1]] for number in self.fixed or ())
