"""How guesses split the candidates: measures of a split, for one guess or for all of them."""
