"""Strategies as other programs write them: trees of text, nested JSON, a game a line."""
