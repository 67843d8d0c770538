"""``pillarbook verify``: what is compiled here against what a live master's minions got."""

from pillarbook.book.verify.dump import Dump
from pillarbook.book.verify.formats import to_json, to_text
from pillarbook.book.verify.json_objects import DumpError
from pillarbook.book.verify.model import Verification
from pillarbook.book.verify.verify import verify

__all__ = ["Dump", "DumpError", "Verification", "to_json", "to_text", "verify"]
