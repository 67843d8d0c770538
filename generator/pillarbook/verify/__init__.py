"""``pillarbook verify``: compares the compiled pillars with those of a live master's minions."""

from pillarbook.verify.dump import Dump
from pillarbook.verify.formats import to_json, to_text
from pillarbook.verify.verification import Verification
from pillarbook.verify.verify_dump import verify

__all__ = ["Dump", "Verification", "to_json", "to_text", "verify"]
