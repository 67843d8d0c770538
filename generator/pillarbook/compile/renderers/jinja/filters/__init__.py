"""Salt's own filters, by what they are about."""
