"""``tools/bench [TOPIC…]``: run the topics and print their tables."""

import argparse
import ast
import importlib
import sys
from pathlib import Path

from strategy.cli.output import abandon

from .harness import Bench

HERE = Path(__file__).parent
NOT_TOPICS = {"__init__", "__main__", "harness"}
#: Run only when named.
LONG = {"exact_mastermind", "exact_openers", "signature"}


def topics() -> dict[str, str]:
    """Every topic with the first line of its docstring, read without importing it."""
    found = {}
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in NOT_TOPICS:
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[path.stem] = docstring.partition("\n")[0]
    return found


def arguments(known: dict[str, str]) -> argparse.Namespace:
    """Parse the command line; unknown topics are refused with the known ones."""
    parser = argparse.ArgumentParser(
        prog="tools/bench",
        description="Time the topics, side by side in one run (default: all but "
        f"{', '.join(sorted(LONG)).replace('_', '-')}; 'signature --help' for options of its own).",
    )
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(known))
    parser.add_argument("--list", action="store_true", help="name the topics and stop")
    parser.add_argument("--quick", action="store_true", help="few repeats: a look, not a figure")
    parser.add_argument(
        "--games", type=int, metavar="N", help="games of the topic boards, each row"
    )
    args = parser.parse_args()
    unknown = [topic for topic in args.topics if topic.replace("-", "_") not in known]
    if unknown:
        parser.error(f"unknown topic: {', '.join(unknown)} (there are: {', '.join(known)})")
    return args


def main() -> int:
    """Run the topics."""
    if sys.argv[1:2] == ["signature"]:  # no benchmark: it has options of its own, and no heading
        from . import signature

        return signature.main(sys.argv[2:])
    known = topics()
    args = arguments(known)
    if args.list:
        for topic, about in known.items():
            print(f"{topic.replace('_', '-'):12} {about}")
        return 0
    bench = Bench(quick=args.quick, games=args.games)
    for topic in args.topics or [topic for topic in known if topic not in LONG]:
        name = topic.replace("-", "_")
        bench.heading(name, known[name])
        importlib.import_module(f"{__package__}.{name}").run(bench)
    return 0


def ended() -> int:
    """Run it to its end, or until nobody reads or waits any more: without a word then."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
        return 141
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(ended())
