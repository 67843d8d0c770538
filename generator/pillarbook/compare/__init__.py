"""What differs between two redacted pillars, minion by minion and folded over a fleet.

``Comparer`` finds the changes that make one pillar the other, exactly, key order included. ``Fold``
puts equal changes of many minions together.
"""
