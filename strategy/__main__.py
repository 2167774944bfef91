"""``python -m strategy COMMAND``: the same as the console script ``knuthle``."""

import sys

from .entry import knuthle

sys.exit(knuthle())
