"""Top files: what they say, merged, and whom they match."""
