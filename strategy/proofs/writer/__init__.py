"""The writer of proofs: it asks the search and claims what the checker will need."""
