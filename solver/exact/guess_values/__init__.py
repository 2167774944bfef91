"""The value of one guess: what its buckets cost, and which guesses cannot be best."""
