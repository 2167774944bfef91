"""``suggest --pattern`` as people write it."""

from tests.support.commands import Knuthle, report_of


def test_several_patterns_beside_clues(knuthle: Knuthle) -> None:
    given = ("suggest", "crane", "bybbg", "--pattern", "without sp, m not first")
    found = report_of(knuthle, *given, "--pattern", "contains o")
    assert found["patterns"] == ["without sp, m not first", "contains o"]
    alone = report_of(knuthle, "suggest", "crane", "bybbg")
    assert alone["patterns"] == []
    assert found["secrets"] == [
        word for word in alone["secrets"]
        if "o" in word and not {*"sp"} & {*word} and word[0] != "m"
    ]  # fmt: skip
    assert 0 < len(found["secrets"]) < len(alone["secrets"])


def test_help_explains_the_grammar(knuthle: Knuthle) -> None:
    said = knuthle("suggest", "--help").out
    for part in ("c.a.e", "b at 3", "b not 3", "contains ab", "exactly 2 e", "without xyz"):
        assert part in said
