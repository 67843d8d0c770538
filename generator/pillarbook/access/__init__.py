"""How secrets come to minions, and since when they are what they are."""
