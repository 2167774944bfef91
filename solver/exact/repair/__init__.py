"""Strategies under a limit: which states break it, and how they are mended."""
