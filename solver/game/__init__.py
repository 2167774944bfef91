"""The game: words, how a guess is graded, which guesses hard mode allows, all scores at once."""
