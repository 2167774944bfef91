"""Words that share no letter: dictionaries read forgivingly, and all sets of such words."""
