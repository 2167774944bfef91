"""Making a strategy: by a rule, within a limit, or as exact search proves it."""
