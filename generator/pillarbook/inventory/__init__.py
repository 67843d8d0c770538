"""What the user declares: minions, Salt's master options, settings; and what a tree may do."""
