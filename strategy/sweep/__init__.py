"""Whole strategies of every opener: computed on all cores or many machines, stored, reported."""
