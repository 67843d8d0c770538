"""The requisites that Salt knows.

Source: Salt ``salt/utils/requisite.py`` (``RequisiteType``), ``salt/state.py``
(``STATE_REQUISITE_KEYWORDS``, ``State.requisite_in``).
"""

WEIGHTS = {
    "onfail": 0,
    "onfail_any": 1,
    "onfail_all": 2,
    "require": 3,
    "require_any": 4,
    "onchanges": 5,
    "onchanges_any": 6,
    "watch": 7,
    "watch_any": 8,
    "prereq": 9,
    "prerequired": 10,
    "listen": 11,
}
"""The weights of requisites when Salt orders states; the heaviest decides."""
FOLLOWED = (
    "require",
    "require_any",
    "watch",
    "watch_any",
    "prereq",
    "onfail",
    "onfail_any",
    "onfail_all",
    "onchanges",
    "onchanges_any",
)
"""Those that order states, in Salt's order."""
REQUISITES = frozenset((*WEIGHTS, "onfail_stop"))
"""Those whose argument has to be a list."""
TURNED = frozenset(
    ("require_in", "watch_in", "onfail_in", "onchanges_in", "use", "use_in", "prereq_in")
)
"""Those that Salt writes into another state, or takes from one, before anything is ordered."""
NEVER_USED = TURNED | {"require", "watch", "prereq", "onfail", "onfail_stop", "onchanges"}
"""What ``use`` does not copy, besides ``name`` and ``names``."""
