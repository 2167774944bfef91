"""Files of strategies and proofs, examined and checked: in any form, ours or of others.

Words may be given, or the name of a shipped list, or a file that lists them. To verify a strategy
must load neither numpy nor the solver, so whatever is not needed for that is loaded where it is
used.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import exports
from .checkers import verify as core
from .columns import attributes
from .errors import BadFileError, WrongStrategyError
from .files import envelope, strategy_file, text_forms
from .files.draft import Draft, Fault, FaultKind, Spelling
from .files.strategy_file import Verdict
from .files.text import counted, is_pegs, printable, read_lines
from .foreign import faults
from .foreign import reference_lists as lists
from .tree import Strategy

if TYPE_CHECKING:
    from .checkers.proof import Proof

#: The forms of a strategy file of ours, and the rule of a strategy that others have made.
OWN_FORM, IMPORTED = "strategy", "imported"
#: What a file of findings says of their question.
_FINDINGS_HEAD = ("game", "guesses_digest", "secrets_digest", "hard")


def verify(
    strategy: Strategy | str | Path,
    words: lists.Listed | None = None,
    secrets: lists.Listed | None = None,
    *,
    within: int | None = None,
) -> Verdict:
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
    if isinstance(strategy, str | Path):
        tree = strategy_file.load_tree(strategy)
    else:
        tree = strategy_file.tree_of(strategy)
    given = lists.given_lists(words, secrets, tree.head["list_name"])
    verdict = Verdict(*core.verify(tree, given))
    if within is not None and (beyond := verdict.beyond(within)):
        raise WrongStrategyError(f"{len(beyond):,} secrets take more than {within}")
    return verdict


def check_proof(
    proof: Proof | str | Path,
    words: lists.Listed | None = None,
    secrets: lists.Listed | None = None,
    *,
    workers: int | None = 1,
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> Proof:
    """Check a proof: derive all its steps again, without the search; returns it.

    Args:
        proof: A proof, or the file of one.
        words: Guesses that it must be about: a shipped list by name, a file, or words. Those of a
            list that is not shipped must be given.
        secrets: Secrets, in the same way.
        workers: Processes; ``None`` are as many as there are cores.
        progress: Is called with how many more of how many steps are done.

    Returns:
        The proof, which now is known to prove its ``statement``.

    Raises:
        WrongProofError: It does not prove what it states.
        BadFileError: The file holds no proof, or is damaged.

    >>> from strategy import check_proof, load_game
    >>> from strategy.proofs.writer import prove_optimal
    >>> game = load_game(["hound", "mound", "round", "sound"])
    >>> proof = check_proof(prove_optimal(game, "worst", 2, False, None), game.guesses)
    >>> proof.statement.objective, proof.statement.limit
    ('worst', 2)
    """
    from .checkers.proof import WrongProofError
    from .proofs import proof_file

    if isinstance(proof, str | Path):
        proof = proof_file.load(proof)
    else:
        try:
            content = proof_file.to_bytes(proof)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise WrongProofError("it has what no file can hold") from None
        proof = proof_file.from_bytes(content, "the proof")
    derive(proof, words, secrets, workers=workers, progress=progress)
    return proof


def derive(
    proof: Proof,
    words: lists.Listed | None,
    secrets: lists.Listed | None,
    *,
    workers: int | None,
    progress: Callable[[int, int], None],
) -> None:
    """Have the checker derive a proof that was read from a file."""
    from solver.machine.pool import available_cores

    from .checkers.proof import check

    given = lists.given_lists(words, secrets, proof.statement.list_name)
    check(proof, given, progress, workers or available_cores())


#: So much of a reason is shown in one line of a notebook.
_SHOWN = 80


@dataclass(frozen=True, repr=False)
class Examined:
    """What became of a file of a strategy that was examined: its form, lists, games and faults."""

    form: str
    lists: lists.ReferenceLists
    result: faults.CheckResult
    #: The strategy, if nothing is wrong with it.
    strategy: Strategy | None
    #: What is wrong in one line; nothing if it is right.
    reason: str = ""
    digest: str | None = None
    #: Whether a search claims for it that nothing is better, which playing it does not show.
    claims: bool = False
    #: What its games come to by the weights that were given.
    weighed: dict[str, Any] | None = None

    def _line(self) -> str:
        found = self.result
        solved = f"{len(found.taken):,} of {found.n_secrets:,} secrets solved"
        what = printable(self.reason, _SHOWN) or "OK"
        return f"{self.form}, {what}; {solved}, {counted(len(found.faults), 'fault')}"

    def __repr__(self) -> str:
        return f"<Examined: {self._line()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the line, and what is wrong."""
        from solver.shown import html_of, record_of  # only here: checks load nothing of the solver

        return html_of(self._line(), [record_of(fault) for fault in self.result.faults])

    @property
    def ok(self) -> bool:
        """Whether the strategy does what it says, and what is required of it."""
        return not self.reason


class Requirements(NamedTuple):
    """What a file of a strategy must agree with: lists of words, game, hard mode, limit."""

    words: lists.Listed | None = None
    secrets: lists.Listed | None = None
    hard: bool = False
    within: int | None = None
    game: str = ""
    weights: str | Path | None = None


def examine(
    path: str | Path,
    words: lists.Listed | None = None,
    secrets: lists.Listed | None = None,
    *,
    hard: bool = False,
    within: int | None = None,
    game: str = "",
    weights: str | Path | None = None,
) -> Examined:
    """Read a strategy in any form, play every secret by letters alone, and name every fault.

    The forms are our own files, indented trees of text, nested JSON, a game a line, and a table of
    states (``docs/foreign-files.md``); which it is shows by looking.

    Args:
        path: The file.
        words: The guesses: a shipped list by name, a file, or words. Without it, the head of the
            file says it, or the shipped list that resembles what it solves.
        secrets: ``allowed`` (any guess), ``answers`` (those of a shipped list), a file, or words.
        hard: Check hard mode too.
        within: No secret may take more guesses.
        game: The game, if the file does not say: ``wordle``, ``mastermind:4x6`` …
        weights: A file of weights; what a strategy claims to take by weight is then checked.

    Returns:
        The form, the strategy if there is one, and the result with all faults.

    Raises:
        BadFileError: The file is none of these forms.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import examine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.tree"
    ...     _ = path.write_text("slate BGGGG1 plate GGGGG2\\n      GGGGG1\\n")
    ...     found = examine(path, ["plate", "skate", "slate"])
    >>> found.form, found.result.worst, [str(fault) for fault in found.result.faults]
    ('tree', 2, ["secret missing: no game comes to 'skate'"])
    """
    required = Requirements(words, secrets, hard, within, game, weights)
    return examine_bytes(text_forms.bytes_of(path), str(path), required)


def examine_bytes(content: bytes, name: str, required: Requirements) -> Examined:
    """The same of a file that was read; ``name`` is what messages call it."""
    if envelope.is_ours(content):
        found = _examine_own(strategy_file.tree_from_bytes(content, name), name, required)
    else:
        found = _examine_foreign(_draft(content, name, required), required)
    return found if required.weights is None else _weighed(found, required.weights)


def _weighed(found: Examined, weights: str | Path) -> Examined:
    """The same with what the games come to by weight, and whether that is what is claimed."""
    if found.strategy is None:
        return found
    try:
        tree = strategy_file.tree_of(found.strategy)
        weighed = core.weigh(tree, weights_of(weights), found.result.taken)
    except WrongStrategyError as error:
        fault = Fault(FaultKind.HEAD, str(error))
        result = replace(found.result, faults=(*found.result.faults, fault))
        return replace(found, result=result, reason=str(error), strategy=None)
    return replace(found, weighed=weighed | {"mean": weighed["total"] / weighed["sum"]})


def weights_of(path: str | Path) -> dict[str, float]:
    """The weights of a file, for who verifies by them: each word there once."""
    found: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        with strategy_file.named(f"{printable(path)}:{number}"):
            entry = core.read_weight(line)
            core.need(entry is None or entry[0] not in found, "it has two weights")
            found |= [entry] if entry else []
    return found


def load(path: str | Path, required: Requirements) -> Strategy:
    """The strategy in a file of any form; one that has a fault raises WrongStrategyError."""
    found = examine_bytes(text_forms.bytes_of(path), str(path), required)
    if found.strategy is None:
        raise WrongStrategyError(f"{path}: {found.reason}; 'knuthle verify' lists every fault")
    return found.strategy


# --- our own files -------------------------------------------------------------------------


def _examine_own(tree: core.Tree, path: str, required: Requirements) -> Examined:
    strategy = Strategy.of_file(tree)
    origin = strategy.origin
    if required.game and required.game != origin.game:
        raise BadFileError(
            "game", f"{path}: the strategy is for {origin.game}, not for {required.game}"
        )
    _check_hard(required, origin.game)
    guesses, secrets = lists.given_lists(required.words, required.secrets, origin.list_name)
    found = lists.of_strategy(strategy, guesses, secrets)
    reason = ""
    result = None
    try:
        verdict = Verdict(*core.verify(tree, (guesses, secrets)))
        found = replace(found, how=verdict.lists)
        if not required.hard and required.within is None:
            solved_at = strategy.solved_at
            result = faults.CheckResult(verdict.taken, solved_at, len(verdict.taken), ())
    except WrongStrategyError as error:
        reason = str(error)
    if result is None:
        result = faults.find_faults(draft_of(strategy), _rules(found, required))
    if reason and not result.faults:
        result = replace(result, faults=(Fault(FaultKind.HEAD, reason),))
    reason = reason or faults_in_a_line(result, required.within)
    right = None if reason else strategy
    claims = "objective" in origin.claim
    return Examined(OWN_FORM, found, result, right, reason, tree.digest, claims)


def _rules(found: lists.ReferenceLists, required: Requirements) -> faults.Rules:
    return faults.Rules(found.game, found.guesses, found.secrets, required.hard, required.within)


def _check_hard(required: Requirements, game: str) -> None:
    if required.hard and is_pegs(game):
        raise BadFileError("game", f"hard mode is a rule of Wordle; {game} has none")


# --- files of others -----------------------------------------------------------------------


def _draft(content: bytes, name: str, required: Requirements) -> Draft:
    """What a file says; with a list at hand digits are letters, since codes have none."""
    if required.words is not None and not required.game:
        with contextlib.suppress(BadFileError):
            return text_forms.read_any_form(content, name, core.GRADERS, "wordle")
    return text_forms.read_any_form(content, name, core.GRADERS, required.game)


def _examine_foreign(draft: Draft, required: Requirements) -> Examined:
    found = lists.of_draft(draft, required.words, required.secrets, required.game)
    _check_hard(required, found.game)
    result = faults.find_faults(draft, _rules(found, required))
    if result.faults and draft.spelling.numbers:  # whose digits may begin at the other end
        turned = draft.mirrored()
        other = faults.find_faults(turned, _rules(found, required))
        if len(other.faults) < len(result.faults):
            draft, result = turned, other
    reason = faults_in_a_line(result, required.within)
    strategy = None if reason else strategy_of_draft(draft, found, result, required.hard)
    digest = None if strategy is None else strategy.digest
    return Examined(draft.form, found, result, strategy, reason, digest)


def faults_in_a_line(result: faults.CheckResult, within: int | None) -> str:
    """For a file in any form, the faults of its strategy in one line: the only one, or how many."""
    faults = result.faults
    if len(faults) < 2:
        return "".join(map(str, faults))
    kinds = {fault.kind for fault in faults}
    if kinds == {FaultKind.BEYOND}:
        return f"{len(faults):,} secrets take more than {within}"
    return f"{len(faults):,} faults" + (f": {faults[0].kind}" if len(kinds) == 1 else "")


def draft_of(strategy: Strategy) -> Draft:
    """A strategy as a draft, in which ``find_faults`` names all faults."""
    spelling = Spelling("strategy", strategy.origin.game)
    spelling.length = len(strategy.words[0])
    draft = Draft("strategy", spelling)
    for node in range(strategy.nodes):
        word = strategy.words[strategy.guess[node]]
        draft.add(strategy.parent[node] if node else -1, strategy.score[node], word, 0)
        if strategy.hit[node]:
            draft.end(node, 0)
    return draft


def strategy_of_draft(
    draft: Draft, found: lists.ReferenceLists, result: faults.CheckResult, hard: bool = False
) -> Strategy:
    """Of a file in any form, found right: the states of its draft as a strategy of ours."""
    children: list[list[tuple[int, int]]] = [[] for _ in draft.guess]
    for node, above in enumerate(draft.parent):
        if above >= 0:
            children[above].append((draft.score[node], node))
    solving = set(result.solved_at.values())
    words = tuple(sorted({*draft.guess, *found.secrets}))
    place = {word: at for at, word in enumerate(words)}
    guess, parent, score, hit = array("I"), array("I"), array("I"), array("B")
    todo = [(0, 0, 0)]
    while todo:
        node, above, came = todo.pop()
        number = len(guess)
        guess.append(place[draft.guess[node]])
        parent.append(above)
        score.append(came)
        hit.append(node in solving)
        todo += [(below, number, by) for by, below in sorted(children[node], reverse=True)]
    origin = found.origin(words, rule=IMPORTED, start=(draft.guess[0],), hard=hard)
    return Strategy(origin, words, guess, parent, score, hit)


# --- what a file says of itself -------------------------------------------------------------


def described(kind: bytes, body: dict[str, Any], name: str) -> dict[str, Any]:
    """Before any verification, what a file of ours says that is no strategy: its kind, game, …

    ``name`` is what messages call it.
    """
    result: dict[str, Any] = {"kind": envelope.KINDS[kind].removeprefix("a ").removeprefix("an ")}
    if kind == envelope.PROOF:
        from .proofs import proof_file

        result |= summary_of_proof(proof_file.from_body(body, name))
    elif kind == envelope.FINDINGS:
        found = strategy_file.read_findings(body, name)
        result |= {"version": envelope.FINDINGS_VERSION}
        result |= {key: found.question[key] for key in _FINDINGS_HEAD}
        result |= {"limit": found.question["within"], "n_found": len(found.guess)}
    else:
        result |= exports.head_facts(strategy_file.read_origin(body.get("origin"), name))
        result["n_nodes"] = len(strategy_file.read_partial(body, name)[0])
    return result


def summary_of_proof(proof: Proof) -> dict[str, Any]:
    """For who verifies a proof: what it states, and how much it lists for that."""
    stated = proof.statement
    return exports.game_facts(stated) | {
        **attributes(stated, "guess_from hard"),
        "start": [stated.start] if stated.start else [],
        "objective": stated.objective,
        "limit": stated.limit or None,
        "n_beyond": stated.losses if stated.price else None,
        "total": stated.total if stated.price else None,
        "n_claims": len(proof.claims),
        "n_refutations": len(proof.refutations),
    }
