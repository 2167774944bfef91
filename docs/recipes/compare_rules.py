"""The same opener by five rules: who needs how many guesses, and where do two of them part?

python compare_rules.py [OPENER]
"""

import sys

from strategy import Settings, Strategy, compare, load_game, solve

RULES = ("minimax", "entropy", "expected-size", "parts", "proportion")


def main(opener: str) -> None:
    """Print a line for each rule, and then what the best and the worst of them do differently."""
    game = load_game("original")
    built: dict[str, Strategy] = {}
    for rule in RULES:
        built[rule] = solve(game, Settings(start=(opener,), rule=rule)).strategy
    for rule, strategy in sorted(built.items(), key=lambda item: item[1].total):
        print(f"{rule:13}  total {strategy.total:,}  worst {strategy.worst}  {strategy.histogram}")

    by_total = sorted(built, key=lambda rule: built[rule].total)
    best, worst = by_total[0], by_total[-1]
    found = compare(built[best], built[worst])
    first = found.partings[0]
    state = " ".join(f"{word} {game.format_score(score)}" for word, score in first.state)
    print(f"{best} and {worst} part after {state}: {' or '.join(first.guesses)}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "salet")
