"""Worker processes, their limits, and the parent that watches them."""
