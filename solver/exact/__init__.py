"""Exact search: provably best strategies. ``api`` has the questions it answers.

Importing this package loads nothing heavy.
"""
