"""What an OK of ``verify`` rests on: a file is read, and every secret is played through it.

Each line has its sentence in docs/strategy-format.md, and none is here for speed. Of the project
only the reader of lists is used, with what texts look like, and the errors.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, get_type_hints

import msgpack

from ..errors import BadFileError, StrategyError, WrongStrategyError
from ..files.text import is_known, is_name, is_word, plain, score_text, solved_score
from . import lists

MAGIC, HEADER, CHECKSUM = b"KNUTHLE\n", struct.Struct("<8sBcI"), 32
#: The limits: bytes; values of a body; words and nodes.
LARGEST, MOST_VALUES, MOST = 1 << 26, 1 << 17, 1 << 20
#: Letters of a word; guesses in a row, and added up; lists and maps in each other.
LONGEST, DEEPEST, MOST_GUESSES, NESTED = 16, 1000, 1 << 23, 8
GUESS_POOLS = ("allowed", "secrets", "candidates")
DIGEST = re.compile("[0-9a-f]{64}")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
NAMES, COUNTS = ("list_name", "secrets_name"), ("guesses", "secrets")
DIGESTS, COLUMNS = ("guesses_digest", "secrets_digest"), ("guess", "parent", "score", "hit")
HEAD = {"rule": str, "start": list, "guess_from": str, "hard": bool, "claim": dict}
HEAD |= get_type_hints(lists.GameLists)
BODY = {"origin": dict, "length": int, "words": str, "nodes": int, "histogram": list, "digest": str}


def need(fine: object, reason: str, kind: str = "format") -> None:
    """Refuse to read a file unless something is fine."""
    if not fine:
        raise BadFileError(kind, reason)


def hold(fine: object, reason: str, error: type[StrategyError] = WrongStrategyError) -> None:
    """Refuse a strategy that was read, or a proof, unless something is fine."""
    if not fine:
        raise error(reason)


def unseal(content: bytes) -> tuple[bytes, dict[str, Any]]:
    """The kind and the body of a file, out of its envelope."""
    need(HEADER.size <= len(content) <= LARGEST, "too short or too long")
    magic, version, kind, length = HEADER.unpack_from(content)
    ours = magic == MAGIC and version == 1 and kind in (b"S", b"P", b"R", b"F")
    need(ours, "no file of ours, or of an unknown version or kind")
    need(len(content) == HEADER.size + length + CHECKSUM, "it has another length")
    checksum = hashlib.sha256(content[:-CHECKSUM]).digest()
    need(checksum == content[-CHECKSUM:], "damaged: its checksum is wrong", "checksum")
    values = 0

    def counted(built: list[Any], each: int = 1) -> list[Any]:
        nonlocal values
        values += each * len(built)
        need(values <= MOST_VALUES, f"more than {MOST_VALUES:,} values")
        return built

    def paired(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        need(len(dict(counted(pairs, 2))) == len(pairs), "a key stands twice in a map")
        return dict(pairs)

    most: Any = {"max_array_len": MOST_VALUES, "max_map_len": MOST_VALUES}
    packed = content[HEADER.size : -CHECKSUM]
    try:
        body = msgpack.unpackb(packed, list_hook=counted, object_pairs_hook=paired, **most)
    except (ValueError, msgpack.UnpackException) as error:
        reason = ascii(str(error) or type(error).__name__)[:99]
        raise BadFileError("format", f"no msgpack of ours: {reason}") from None
    need(type(body) is dict, "its body is no map")
    return kind, body


def read_keys(body: Any, kinds: Mapping[str, type]) -> None:
    """Refuse other keys than these, and values of another type."""
    need(type(body) is dict, "it is no map")
    wrong = ascii(sorted(map(str, body.keys() ^ kinds.keys())))[:99]
    need(body.keys() == kinds.keys(), f"it has too many or too few keys: {wrong}")
    for key, kind in kinds.items():
        need(type(body[key]) is kind, f"{key!r} is {type(body[key]).__name__}")


def read_lists(head: dict[str, Any]) -> None:
    """Refuse a game, names, numbers and digests of lists that are none."""
    need(is_known(head["game"]), f"a game {ascii(head['game'])[:99]} that is not known")
    need(all(is_name(head[key]) for key in NAMES), "a list has no name")
    need(all(1 <= head[key] <= MOST for key in COUNTS), "it has no words, or too many")
    need(all(DIGEST.fullmatch(head[key]) for key in DIGESTS), "a digest is no sha256")


def read_head(head: Any) -> None:
    """Refuse a head that is not as the page says."""
    read_keys(head, HEAD)
    read_lists(head)
    need(head["guess_from"] in GUESS_POOLS, f"'guess_from' is none of {', '.join(GUESS_POOLS)}")
    names = [head["rule"], *head["start"]]
    need(all(type(it) is str and is_name(it) for it in names), "a rule or start is no name")
    need(len(names) > 1, "its start has no words")
    need(not head["hard"] or head["game"] == "wordle", "Mastermind has no hard mode")
    need(is_plain(head["claim"], NESTED), "its claim is not made of plain values")


def is_plain(value: Any, depth: int) -> bool:
    """Whether a value is of the kinds that JSON has, in lists and maps not too deep."""
    if type(value) is dict:
        return all(type(key) is str for key in value) and is_plain([*value.values()], depth)
    if type(value) is list:
        return depth > 0 and all(is_plain(item, depth - 1) for item in value)
    is_number = type(value) is float and math.isfinite(value)
    return value is None or type(value) in (str, int, bool) or is_number


def read_column(packed: list[Any], length: int) -> array[int]:
    """The numbers of a column: unsigned, little-endian, as narrow as they can be."""
    widths = {1: "B", 2: "H", 4: "I"}
    fits = [*map(type, packed)] == [int, bytes] and packed[0] in widths
    need(fits and len(packed[1]) == packed[0] * length, f"a column does not hold {length} numbers")
    width, numbers = packed
    column = array(widths[width], struct.unpack(f"<{length}{widths[width]}", numbers))
    halved = max(column, default=0) < 1 << 4 * width  # they fit into half of their bytes
    need(width == 1 or not halved, "a column is wider than its numbers need")
    return column


class Tree(NamedTuple):
    """A strategy as its file has it, and the depth of each node: the first has depth 1."""

    head: dict[str, Any]
    words: tuple[str, ...]
    guess: array[int]
    parent: array[int]
    score: array[int]
    hit: array[int]
    depth: list[int]
    digest: str

    def word(self, node: int) -> str:
        """The guess at a node."""
        return self.words[self.guess[node]]

    def history(self, node: int) -> list[tuple[str, int]]:
        """The guesses and scores above a node."""
        steps = []
        while node:
            steps.append((self.word(self.parent[node]), self.score[node]))
            node = self.parent[node]
        return steps[::-1]

    def solved(self) -> dict[str, int]:
        """Each word that is guessed with ``hit`` 1, in order, and the node where it is."""
        return dict(sorted((self.word(node), node) for node, one in enumerate(self.hit) if one))


def read_tree(body: Any) -> Tree:
    """The strategy that the body of a file holds."""
    read_keys(body, BODY | dict.fromkeys(COLUMNS, list))
    read_head(body["origin"])
    text, length, nodes = body["words"], body["length"], body["nodes"]
    need(1 <= length <= LONGEST and 1 <= nodes <= MOST, "a word or its tree is too long, or none")
    need(len(text) <= length * MOST, "it has too many words")
    words = tuple(text[at : at + length] for at in range(0, len(text), length))
    need(all(map(is_word, words)) and len(text) % length == 0, "no words of letters and digits")
    need([*words] == sorted({*words}), "its words are not in order")
    guess, parent, score, hit = (read_column(body[key], nodes) for key in COLUMNS)
    need(max(guess) < len(words), "a guess is no word")
    need(max(hit) == 1, "its hits are not 0 and 1")
    need(parent[0] == 0 and score[0] == 0, "its first node is no root", "root")
    depth, path, last = [1], [0], [-1] * nodes
    for node in range(1, nodes):
        while path and path[-1] != parent[node]:
            path.pop()
        fits = path and score[node] > last[parent[node]]
        need(fits, f"node {node} does not stand in preorder, by rising scores", "order")
        last[parent[node]] = score[node]
        path.append(node)
        depth.append(len(path))
    need(max(depth) <= DEEPEST and sum(depth) <= MOST_GUESSES, "it takes too many guesses", "deep")
    tree = Tree(body["origin"], words, guess, parent, score, hit, depth, body["digest"])
    solved, found = tree.solved(), body["histogram"]
    need(len(solved) == sum(hit), "a word is solved in two places", "twin")
    need(len(solved) == tree.head["secrets"], "it solves another number of secrets", "counts")
    counts = Counter(depth[node] for node in solved.values())
    same = found == [counts[number] for number in range(1, max(counts) + 1)]
    same = same and {*map(type, found)} == {int}  # True is not 1
    need(same, "its counts are not those of its tree", "counts")
    return tree


def grade_wordle(guess: str, secret: str) -> int:
    """Greens, then yellows from left to right out of the letters that are left; in base 3."""
    left = [s for g, s in zip(guess, secret, strict=True) if g != s]
    score = 0
    for place, letter in enumerate(guess):
        if secret[place] == letter:
            score += 2 * 3**place
        elif letter in left:
            left.remove(letter)
            score += 3**place
    return score


def grade_pegs(guess: str, secret: str) -> int:
    """Black pegs for holes that agree, white ones for the other colours in common."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    common = sum(min(guess.count(colour), secret.count(colour)) for colour in {*guess})
    return black * (len(guess) + 1) + common - black


Grade = Callable[[str, str], int]
#: The rule of Wordle, and that of pegs.
GRADERS: dict[bool, Grade] = {False: grade_wordle, True: grade_pegs}


def play(tree: Tree, secrets: Sequence[str], grade: Grade) -> tuple[dict[str, int], set[int]]:
    """Play secrets: the guesses that each took, and all nodes that games came to.

    A score leads to a later node, so every game ends.
    """
    below = {pair: node for node, pair in enumerate(zip(tree.parent, tree.score, strict=True))}
    taken, passed = {}, {0}  # the first node is below none: 0 stands for no branch
    for secret in secrets:
        node = 0
        while tree.word(node) != secret:
            node = below.get((node, grade(tree.word(node), secret)), 0)
            hold(node, f"{secret!r} is never reached: there is no branch for what it answers")
            passed.add(node)
        hold(tree.hit[node], f"{secret!r} is solved where the file says it cannot be")
        taken[secret] = tree.depth[node]
    return taken, passed


def check_guesses(tree: Tree, guess_from: str, start: Sequence[str]) -> None:
    """Refuse guesses that are not from ``start``, then from the pool, or that break hard mode."""
    pool = {"allowed": {*tree.words}, "secrets": {*tree.solved()}, "candidates": set()}[guess_from]
    for node, depth in enumerate(tree.depth):
        word = tree.word(node)
        if depth <= len(start):
            hold(word == start[depth - 1], f"guess {depth} is not always {start[depth - 1]!r}")
        else:
            fits = tree.hit[node] or word in pool
            hold(fits, f"{word!r} is guessed, which is not from {guess_from}")
        check_hard(word, tree.history(node) if tree.head["hard"] else ())


def check_hard(word: str, history: Sequence[tuple[str, int]]) -> None:
    """Refuse a guess against hard mode: greens stay, letters are used as often as shown."""
    for guess, score in history:
        colours = score_text("wordle", len(guess), score)
        shown = [letter for letter, colour in zip(guess, colours, strict=True) if colour != "b"]
        for letter, colour, now in zip(guess, colours, word, strict=True):
            kept = colour != "g" or now == letter
            hold(kept, f"hard mode: {word!r} moves the green of {guess!r}")
            used = word.count(letter) >= shown.count(letter)
            hold(used, f"hard mode: {word!r} drops {letter!r} after {guess!r}")


def check_second(tree: Tree) -> None:
    """Refuse a claim about a second objective that the games do not come to."""
    claimed = tree.head["claim"].get("then")
    if claimed is None:
        return
    hold(type(claimed) is dict, "its second objective is no map")
    objective, value = str(claimed.get("objective")), claimed.get("value")
    kind, _, limit = objective.partition(":")
    known = re.fullmatch("worst|(most-within|fewest-of):[0-9]{1,9}", objective)
    hold(known, "its second objective is not known")
    ends, most = [tree.depth[node] for node in tree.solved().values()], int(limit or 0)
    within = sum(taken <= most for taken in ends)
    attained = {"worst": max(ends), "most-within": within, "fewest-of": ends.count(most)}[kind]
    right = type(value) is int and value == attained
    hold(right, f"it claims {objective} {ascii(value)[:99]}; it has {attained}")


def play_all(
    tree: Tree, known: Mapping[str, Sequence[Sequence[str] | None]]
) -> tuple[dict[str, int], str]:
    """Compare the words with lists, and play: the guesses of each secret, and the lists compared.

    ``known``: guesses and secrets by what they are called; None for a list that is not at hand.
    """
    head, secrets, compared = tree.head, [*tree.solved()], []
    same = lists.words_digest(secrets) == head["secrets_digest"]
    hold(same, "its secrets are not those of its head")
    hold(len({*tree.guess}) == len(tree.words), "it holds words that it never guesses")
    lists.check_words(tree.words, head["game"])
    for name, pair in known.items():
        for what, words in zip(COUNTS, pair, strict=True):
            if words is not None:
                found = len(words), lists.words_digest(sorted(words))
                same = found == (head[what], head[f"{what}_digest"])
                hold(same, f"it is for another list: its {what} are not those of {name}")
        hold(pair[0] is None or {*tree.words} <= {*pair[0]}, f"a guess is none of {name}")
        if None not in pair:
            compared.append(name)
    taken, passed = play(tree, secrets, GRADERS[head["game"] != "wordle"])
    check_played(tree, passed)
    return taken, ", ".join(compared) or "list not verified"


def check_played(tree: Tree, passed: set[int]) -> None:
    """Refuse what its games, which came to the nodes ``passed``, do not bear out."""
    hold(len(passed) == len(tree.guess), "it has nodes that no secret ever comes to")
    check_guesses(tree, tree.head["guess_from"], tree.head["start"])
    check_second(tree)


def verify(
    tree: Tree, given: Sequence[Sequence[str] | None] = (None, None)
) -> tuple[dict[str, int], str]:
    """Play every secret and compare all that the file says: the guesses of each, and the lists."""
    head, (guesses, secrets) = tree.head, given
    if head["secrets_name"] == "allowed":
        every = head["guesses_digest"] == head["secrets_digest"]
        hold(every, "not all of its guesses are secrets")
        secrets = guesses if secrets is None else secrets
    played = play_all(tree, lists.known_lists(head) | {"lists as given": (guesses, secrets)})
    game, length, text = head["game"], len(tree.words[0]), hashlib.sha256()
    for secret, node in tree.solved().items():
        steps = [*tree.history(node), (secret, solved_score(game, length))]
        line = " ".join(f"{word} {score_text(game, length, score)}" for word, score in steps)
        text.update(f"{line}\n".encode())
    hold(text.hexdigest() == tree.digest, "it is not the strategy that its digest names")
    return played


def read_weight(line: str) -> tuple[str, float] | None:
    """The word and the weight of a line of a file of weights; None where it has nothing."""
    entry = line.partition("#")[0].strip()
    pair = re.fullmatch(r"([^\s,]+)(?:\s*,\s*|\s+)([^\s,]+)", entry)
    number = float(pair[2]) if pair and NUMBER.fullmatch(pair[2]) else math.inf
    need(entry == "" or 0 <= number < math.inf, "no word and its weight")
    return (plain(pair[1]), number) if pair else None


def weigh(tree: Tree, weights: Mapping[str, float], taken: Mapping[str, int]) -> dict[str, Any]:
    """What the games come to by weight, compared with what is claimed of it."""
    exact = {word: Fraction(repr(weights.get(word, 0.0))) for word in sorted(taken)}
    without = [word for word, weight in exact.items() if not weight]
    hold(not without, f"no weight for {len(without):,} secrets: {', '.join(without[:3])} …")
    scale = math.lcm(*(weight.denominator for weight in exact.values()))
    common = math.gcd(*(int(weight * scale) for weight in exact.values()))
    whole = {word: int(weight * scale) // common for word, weight in exact.items()}
    lines = "\n".join(f"{word} {weight}" for word, weight in whole.items())
    total = sum(weight * taken[word] for word, weight in whole.items())
    digest = hashlib.sha256(lines.encode()).hexdigest()
    found = {"digest": digest, "sum": sum(whole.values()), "total": total}
    right = tree.head["claim"].get("weights", found) == found
    hold(right, f"its claim is about other weights than these, or wrong: it takes {total:,}")
    return found
