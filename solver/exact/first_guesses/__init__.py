"""First guesses against each other, shared among processes."""
