"""SLS files: found, rendered and joined with what they include."""
