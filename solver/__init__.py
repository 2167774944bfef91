"""Which guess next? Pure computation on guess-and-score games: arrays in, numbers out.

Importing this package loads nothing heavy; numpy and numba come with the modules that need them.
"""
