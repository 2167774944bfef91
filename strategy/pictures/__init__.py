"""Pictures: cards, splits as bars, plots, and the page to explore."""
