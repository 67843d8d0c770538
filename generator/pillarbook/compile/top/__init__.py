"""Top files: reads them, merges them, and finds the targets that match."""
