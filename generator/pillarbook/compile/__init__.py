"""Compiles one minion to one pillar, in Salt's own steps and with Salt's names."""
