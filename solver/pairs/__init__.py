"""Two guesses asked together, and three: the best, the worst, and the rank of any pair."""
