"""A release by one command: refuse, build twice, compare, try every file; ``tools/release``."""
