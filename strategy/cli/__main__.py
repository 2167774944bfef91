"""``python -m strategy.cli COMMAND``: the same as the console script ``knuthle``."""

import sys

from . import main

sys.exit(main())
