"""What a change of pillar, or of the files of states, does to the states."""
