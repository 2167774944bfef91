"""Machine code is made: all that knows numba, loaded only to compile."""
