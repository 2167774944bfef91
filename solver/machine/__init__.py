"""Compiled kernels, vectors and arrays for them, worker processes and clocks."""
