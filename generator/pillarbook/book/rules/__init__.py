"""What ``check`` finds by looking at the whole fleet: values, targets, files."""

from pillarbook.book.rules.fleet_rules import FleetRules
from pillarbook.book.rules.ledger import Ledger

__all__ = ["FleetRules", "Ledger"]
