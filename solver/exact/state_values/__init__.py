"""The value of one state: bounds, memo, and the searches that settle it."""
