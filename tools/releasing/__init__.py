"""A release by one command: refuse, build twice, compare, install; ``tools/release``."""
