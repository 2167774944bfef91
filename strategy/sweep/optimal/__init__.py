"""What every opener is worth at best: exact values as far as a run gets, else bounds."""
