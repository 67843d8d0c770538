"""The interface through which functions read the minion, the tree and the fleet."""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from pillarbook.compile.matchers.subject import Subject
from pillarbook.compile.renderers.jinja.tree_files import TreeFiles


class FunctionMinion(Subject, Protocol):
    """One minion, as the functions of its templates see it; its pillar is that of templates."""

    @property
    def opts(self) -> Mapping[str, Any]:
        """The minion's options: the ``opts`` of templates."""

    @property
    def master_opts(self) -> Mapping[str, Any]:
        """The master's own options, with the master's ``id``: ``__opts__`` in Salt's functions."""

    @property
    def on_minion(self) -> bool:
        """Whether a minion renders its states, and not a master a pillar."""

    @property
    def own_id(self) -> str:
        """The id of the renderer: the master's, or the minion's."""

    @property
    def saltenv(self) -> str:
        """The environment of the file that is rendered."""


class FunctionContext(FunctionMinion, Protocol):
    """A minion, and what its functions may ask of the tree and the fleet."""

    def match_target(
        self, target: Any, matcher: str, minion_id: str | None, delimiter: str
    ) -> bool:
        """Say whether a target matches.

        ``minion_id`` is compared with ids in the expression; None for the *master's* own. Grains
        and pillar are the minion's in any case.
        """

    @property
    def trees(self) -> TreeFiles:
        """The files that may be read."""

    def remark(self, rule: str) -> None:
        """Report a rule about a call that still has an answer."""

    def now(self) -> dt.datetime:
        """Return the current time, in UTC."""

    def render_text(self, text: str, pipe: str, options: Mapping[str, Any]) -> Any:
        """Return what a text renders to.

        ``options`` are ``saltenv``, ``sls`` and ``context``; all others are variables.
        """

    def render_path(self, path: str, pipe: str, options: Mapping[str, Any]) -> Any:
        """Return what the file at a full path renders to; an empty mapping if there is none."""

    @property
    def mine(self) -> "MineData":
        """The mine of the declared fleet."""


class FunctionModule:
    """A module of Salt: its public methods are the functions."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context


class MineData(Protocol):
    """The mine data of the declared fleet."""

    @property
    def is_declared(self) -> bool:
        """Whether any minion has mine data."""

    def matching(self, target: Any, matcher: str) -> Iterable[str]:
        """Return the ids of the minions that a target matches, in a fixed order."""

    def data_of(self, minion_id: str) -> Mapping[str, Any]:
        """Return a minion's mine data by function."""
