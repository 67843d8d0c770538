"""What a minion's states are compiled to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.render_result import RenderResult
from pillarbook.model import ListNode, MapNode

CHUNKS, ERRORS = "chunks", "errors"
"""The keys of the tree of a minion's states."""
UNKNOWN_STATE = "unknown-state"
"""The rule for states that are left out, because they depend on unknown values."""
UNKNOWN_ERROR = "the states depend on a value that is not known"
"""The only error of states of which nothing is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledStates(CompiledPillar):
    """A minion's lowstate, in the clear.

    It has the form of a pillar, so that it goes through the same redactor: the chunks and Salt's
    errors are lists under two keys.
    """

    sls: Mapping[tuple[str, str], RenderResult]
    """The render of each state SLS by environment and name, with the reads that it depended on."""
    asked: Mapping[Question, Answer] = field(default_factory=dict)
    """The questions of the top file's targets about the pillar, with the answers."""

    @property
    def chunks(self) -> tuple[MapNode, ...]:
        """The chunks in the order in which they run; arguments have the origins of their values."""
        listed = self.tree.items.get(CHUNKS)
        members = listed.items if isinstance(listed, ListNode) else ()
        return tuple(one for one in members if isinstance(one, MapNode))

    @property
    def are_unknown(self) -> bool:
        """Whether nothing is known of them, because any may depend on an unknown value."""
        return self.errors == (UNKNOWN_ERROR,)

    @property
    def lack_some(self) -> bool:
        """Whether at least one of them is left out, because it depends on an unknown value."""
        return any(one.code == UNKNOWN_STATE for one in self.diagnostics)

    def __repr__(self) -> str:
        """Return minion and outcome, never a value."""
        return f"CompiledStates({self.minion!r}, {self.outcome})"
