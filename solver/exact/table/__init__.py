"""The table of scores that an exact search looks at, and counts of many guesses side by side."""
