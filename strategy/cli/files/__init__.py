"""Commands about files that are there."""
