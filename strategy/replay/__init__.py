"""A second opinion on whole strategies: games played from letters by compiled code of its own."""
