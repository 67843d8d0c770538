"""What the user declares: minions, Salt's master options, settings; and what a tree may do."""

from pillarbook.inventory.declaration_errors import DeclarationError, InventoryError, SettingsError
from pillarbook.inventory.master import (
    MasterOptions,
    ResolvedRoot,
    check_roots,
    find_gpg_keydir,
    load_master,
    resolve_root,
    resolve_roots,
    with_overlay,
)
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.permissions import Permissions, decide
from pillarbook.inventory.reach import (
    OutsideReachError,
    Reach,
    Trust,
    find_reach,
    find_repository,
)
from pillarbook.inventory.settings import (
    Environment,
    RedactRules,
    Settings,
    load_settings,
    parse_settings,
)

__all__ = [
    "DeclarationError",
    "Environment",
    "InventoryError",
    "MasterOptions",
    "Minion",
    "OutsideReachError",
    "Permissions",
    "Reach",
    "RedactRules",
    "ResolvedRoot",
    "Settings",
    "SettingsError",
    "Trust",
    "check_roots",
    "decide",
    "find_gpg_keydir",
    "find_reach",
    "find_repository",
    "load_inventory",
    "load_master",
    "load_settings",
    "parse_settings",
    "resolve_root",
    "resolve_roots",
    "with_overlay",
]
