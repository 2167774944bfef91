"""What can be looked at: cards, splits as bars, pixels, a page to explore."""
