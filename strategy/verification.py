"""What others have made, checked and told: strategies, proofs, any file of this program.

Words may be given, or the name of a file that lists them. To verify a strategy must load neither
numpy nor the solver, so whatever is not needed for that is loaded where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import exports, referee
from .checkers import judged_lists, word_lists
from .errors import WrongStrategyError
from .files import envelope, strategy_file
from .files.letters import plain
from .tree import Strategy

if TYPE_CHECKING:
    from .proofs.checker.proof_file import Proof

#: What findings are about.
FINDINGS_HEAD = ("version", "game", "guesses_digest", "secrets_digest", "hard")


def verify(
    strategy: Strategy | strategy_file.Contents | str | Path,
    words: judged_lists.Listed | None = None,
    secrets: judged_lists.Listed | None = None,
    *,
    within: int | None = None,
) -> referee.Verdict:
    """Play every secret through a strategy, by letters alone, and compare with what it says.

    Args:
        strategy: A strategy, or a file of one, whose digest is then compared too.
        words: Guesses that its lists must be (they stand for the secrets as well, where all guesses
            are secrets): a shipped list by name, a file, or words. The shipped lists are compared
            in any case.
        secrets: Secrets, in the same way.
        within: No secret may take more guesses.

    Returns:
        The guesses that each secret took, and whether the lists are known.

    Raises:
        WrongStrategyError: It is not what it says, or takes more guesses than it may.
        BadFileError: The file holds no strategy, or is damaged.

    >>> from strategy import load_game, solve, verify
    >>> words = ["abide", "crane", "raise", "slate", "stare"]
    >>> verdict = verify(solve(load_game(words)).strategy, words, within=3)
    >>> verdict.worst, verdict.total, verdict.lists
    (2, 9, 'lists as given')
    """
    guesses, hidden = _listed(words), _listed(secrets)
    digest = None
    if isinstance(strategy, str | Path):
        strategy = strategy_file.load(strategy)
    if isinstance(strategy, strategy_file.Contents):
        digest = strategy.digest
        strategy = Strategy.of_file(strategy)
    verdict = referee.verify(strategy, guesses, hidden, digest)
    beyond = [] if within is None else verdict.beyond(within)
    if beyond:
        raise WrongStrategyError(f"{len(beyond):,} secrets take more than {within}")
    return verdict


def check_proof(
    proof: Proof | str | Path,
    words: judged_lists.Listed | None = None,
    secrets: judged_lists.Listed | None = None,
    *,
    workers: int | None = 1,
    told: Callable[[int, int], None] = lambda new, whole: None,
) -> Proof:
    """Verification of a proof: derive again whatever it rests on, without the search; returns it.

    Args:
        proof: A proof, or the file of one.
        words: The guesses that it is about, where these are not shipped: a file, or the words.
        secrets: The secrets, in the same way.
        workers: Processes; ``None`` are as many as there are cores.
        told: Hears how many more of how many steps are done.

    Returns:
        The proof, which now is known to prove its ``statement``.

    Raises:
        WrongProofError: It does not prove what it states.
        BadFileError: The file holds no proof, or is damaged.

    >>> from strategy import check_proof, load_game
    >>> from strategy.proofs.writer.oracle import prove_optimal
    >>> game = load_game(["hound", "mound", "round", "sound"])
    >>> proof = check_proof(prove_optimal(game, "worst", 2, False, None), game.guesses)
    >>> proof.statement.objective, proof.statement.limit
    ('worst', 2)
    """
    from solver.machine.pool import available_cores

    from .proofs.checker import check, proof_file

    guesses, hidden = _listed(words), _listed(secrets)
    if isinstance(proof, str | Path):
        proof = proof_file.load(proof)
    check.check(proof, guesses, hidden, told, workers or available_cores())
    return proof


def describe(path: str | Path) -> dict[str, Any]:
    """Before any verification, what a file of ours says: its kind, game, lists, rule, results."""
    kind, body = envelope.read(path)
    result: dict[str, Any] = {"kind": envelope.KINDS[kind].removeprefix("a ").removeprefix("an ")}
    name = str(path)
    if kind == envelope.STRATEGY:
        result |= exports.summary(Strategy.of_file(strategy_file.from_body(body, name)))
    elif kind == envelope.PROOF:
        from .proofs.checker import proof_file

        result |= summary_of_proof(proof_file.from_body(body, name))
    elif kind == envelope.FINDINGS:
        read = strategy_file.Reader(body, name)
        result |= {key: value for key, value in body.items() if key in FINDINGS_HEAD}
        result |= {"limit": body.get("within"), "n_found": read.whole("count", 0)}
    else:
        read = strategy_file.Reader(body, name)
        result |= exports.head_facts(strategy_file.read_origin(read))
        result["n_nodes"] = read.whole("nodes", 0)
    return result


def summary_of_proof(proof: Proof) -> dict[str, Any]:
    """For who verifies a proof: what it states, and how much it lists for that."""
    stated = proof.statement
    return exports.game_facts(stated) | {
        "hard": stated.hard,
        "start": [stated.start] if stated.start else [],
        "objective": stated.objective,
        "limit": stated.limit or None,
        "n_beyond": stated.losses if stated.price else None,
        "total": stated.total if stated.price else None,
        "n_claims": len(proof.claims),
        "n_refutations": len(proof.refutations),
    }


def _listed(words: judged_lists.Listed | None) -> list[str] | None:
    """The words themselves, as files and lists spell them."""
    if words is None:
        return None
    if isinstance(words, str | Path):
        return word_lists.read_list(str(words))
    return [plain(word.strip()) for word in words]
