"""What ``check`` finds by looking at the whole fleet: values, targets, files."""
