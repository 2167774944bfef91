"""Playing: helpers at the table, games, and what is said of them afterwards."""
