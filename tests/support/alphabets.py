"""Small lists of words in several scripts, and lists that are drawn from made-up alphabets."""

import random

#: Words of one length a script, from dictionaries: name → words.
LISTS = {
    "spanish": "cañón cañas araña arpón señal señor sueño niñez piñón uñada ozono añejo dueño",
    "german": "größe stoß grüße maßen älter öfter süßer müßig weiß büßer größer heißt spaß fuß",
    "greek": "λόγος νόμος άλλος τόπος χώρος νέφος δρόμος τρόπος χρόνος πόνος φόβος όλους πόλης",
    "cyrillic": "ёлка ночь день вода рука нога поле море тело дело мать рожь ложь съел ёмко",
    "hebrew": "שלום תודה ילדה כלבה מלכה חברה עבדה נערה שמלה דולר ספרי שלמה מלון",
    "joining": "abᄀ ᅡbc ᅡcd cbᄀ ᅡbb abc acd cdᄀ dbᄀ ᅡdd",  # letters that make one where words meet
    "digits": "01234 12340 56789 00112 22110 98765 13579 02468 11111 22222 12121 21212",
}


def words_in(script: str) -> list[str]:
    """The words of a script that have the commonest length of its list."""
    words = LISTS[script].split()
    lengths = [len(word) for word in words]
    common = max(sorted(set(lengths)), key=lengths.count)
    return [word for word in words if len(word) == common]


#: Letters of several scripts and widths, in the order of their code points.
MIXED = "0123456789abcdefghijklmnopqrstuvwxyzßñαβγδεабвгдяאבגש一三二五六四年日月本語"


def made_up(letters: int, length: int, count: int, seed: int) -> list[str]:
    """Different words of so many letters, all of which occur if the words have room for them."""
    draw, alphabet = random.Random(seed), MIXED[:letters]
    spelled = "".join(alphabet) * (-(-count * length // letters))
    cut = [spelled[at : at + length] for at in range(0, count * length, length)]
    drawn = {"".join(draw.choice(alphabet) for _ in range(length)) for _ in range(4 * count)}
    found = dict.fromkeys([*cut[: -(-letters // length)], *sorted(drawn)])
    return sorted(list(found)[:count])
