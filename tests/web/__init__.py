"""Tests of the engine for browsers, in node; of the page, in a real browser."""
