"""``python -m knuthle COMMAND``: the same as the console script ``knuthle``."""

from strategy.entry import run_knuthle

if __name__ == "__main__":
    raise SystemExit(run_knuthle())
