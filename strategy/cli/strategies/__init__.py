"""Commands about whole strategies."""
