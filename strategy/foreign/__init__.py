"""Strategies that other programs wrote: what they are checked by, and all their faults."""
