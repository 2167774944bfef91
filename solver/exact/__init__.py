"""Exact search: provably best strategies. ``questions`` has what it answers.

Importing this package loads nothing heavy.
"""
