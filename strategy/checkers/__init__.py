"""Checkers of strategies: one by letters, one compiled for sweeps; their own grading and lists."""
