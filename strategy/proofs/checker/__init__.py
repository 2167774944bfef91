"""The checker of proofs, which believes nothing and shares nothing with the search."""
