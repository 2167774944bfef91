"""Commands of the table: the helper beside a game, a game, what follows it."""
