"""Exact search: provably best strategies. ``best_strategy`` has what it answers.

Importing this package loads nothing heavy.
"""
