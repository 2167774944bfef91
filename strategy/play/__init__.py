"""Games: played, helped with, reviewed; regrets; contests and environments of programs."""
