"""Making strategies: by a rule, within a limit, and proved to be the best."""
