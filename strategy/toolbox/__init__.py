"""Questions before and in the middle of a game: words in, words and figures out."""
