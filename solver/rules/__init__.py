"""The next guess by a rule that looks one step ahead, and the strategies that follow from it."""
