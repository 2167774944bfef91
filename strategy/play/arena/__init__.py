"""Programs that play against each other: the lines that they speak, and who counts."""
