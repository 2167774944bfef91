"""Words and lists of words, as games take them: spelling, reading, names. Without numpy."""
