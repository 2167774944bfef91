"""The questions exact search answers, a module a question, and what an answer holds."""
