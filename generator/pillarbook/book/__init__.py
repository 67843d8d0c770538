"""The shell: reads what is declared, compiles it, and hands it on through the door."""

from pillarbook.book.failed import place_of_fault
from pillarbook.book.fleet import FleetBook
from pillarbook.book.heartbeat import Heartbeat
from pillarbook.book.open_book import open_book
from pillarbook.book.options import RunOptions
from pillarbook.book.watchdog import run_watched

__all__ = ["FleetBook", "Heartbeat", "RunOptions", "open_book", "place_of_fault", "run_watched"]
