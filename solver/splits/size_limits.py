"""How many candidates splits can be measured over, refused in words before it is begun."""

from __future__ import annotations

from ..errors import WrongInputError
from .logarithms import MOST_CANDIDATES


def require_countable(candidates: int) -> None:
    """Refuse more candidates than exact entropies can be summed over."""
    if candidates > MOST_CANDIDATES:
        raise WrongInputError(
            f"{candidates:,} candidates are too many for exact entropies; "
            f"at most {MOST_CANDIDATES:,}"
        )
