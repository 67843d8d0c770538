"""How secrets get to minions, and when they last changed."""
