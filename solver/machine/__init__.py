"""What the machine gives: compiled code, rows, vectors, processes, the clock."""
