"""Help in the middle of a game: which word next, what it will take, and cards to look it up."""
