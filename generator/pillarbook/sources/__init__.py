"""The text of files as others may see it: what is secret in it, or may be, is cut out."""
