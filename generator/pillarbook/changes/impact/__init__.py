"""The effect of a change in pillar, or in the files of states, on the states of minions."""
