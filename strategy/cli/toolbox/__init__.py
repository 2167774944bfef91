"""Commands that answer a question before there is a strategy."""
