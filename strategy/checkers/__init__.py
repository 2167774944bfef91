"""What is trusted: the checkers of strategies and of proofs, and their own reader of lists."""
