"""Find which lines of a commit cause the changes of a minion's pillar."""
