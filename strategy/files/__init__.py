"""Files that knuthle writes: their envelope, the strategy in it, and how scores are spelt."""
