"""What tests share: the slow truth, small worlds, published figures."""

from pathlib import Path

#: The checkout.
ROOT = Path(__file__).parents[2]
