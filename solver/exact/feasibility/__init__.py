"""Whether a state can be solved at all with the guesses that are left."""
