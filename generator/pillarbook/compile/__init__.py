"""One minion to one compiled pillar, in Salt's own steps and names."""
