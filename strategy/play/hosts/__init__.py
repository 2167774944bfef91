"""A game of its own: who hides the secrets, and how it goes."""
