"""Guesses considered together: pairs, triples, and sets of words without a common letter."""
