"""What those share who check strategies: grading of their own, faults by name, lists to hold to."""
