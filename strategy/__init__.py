"""The whole game: strategies as objects, as files, and the commands people run."""
