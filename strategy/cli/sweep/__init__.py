"""``sweep``: whole strategies of every opener."""
