"""hibari's English phonemes (Kokoro's alphabet) as ARPABET with stress, the alphabet of CMUdict."""

from __future__ import annotations

_VOWELS = {
    "A": "EY", "I": "AY", "O": "OW", "Q": "OW", "W": "AW", "Y": "OY", "a": "AE", "i": "IY", "u": "UW", "ɑ": "AA",
    "ɒ": "AA", "ɔ": "AO", "ə": "AH", "ᵊ": "AH", "ɛ": "EH", "ɜ": "ER", "ɪ": "IH", "ʊ": "UH", "ʌ": "AH", "æ": "AE",
    "ᵻ": "IH",
}  # fmt: skip
_CONSONANTS = {
    "b": "B", "d": "D", "f": "F", "h": "HH", "j": "Y", "k": "K", "l": "L", "m": "M", "n": "N", "p": "P", "s": "S",
    "t": "T", "v": "V", "w": "W", "z": "Z", "ɡ": "G", "ŋ": "NG", "ɹ": "R", "ʃ": "SH", "ʒ": "ZH", "ʤ": "JH", "ʧ": "CH",
    "θ": "TH", "ð": "DH", "T": "T", "ɾ": "T", "ʔ": "T",
}  # fmt: skip
_PUNCTUATION = {",": ",", ";": ",", ":": ",", "—": ",", ".": ".", "…": ".", "!": "!", "?": "?"}
_STRESS = {"ˈ": "1", "ˌ": "2"}


def arpabet(phonemes: str) -> list[str]:
    """Tokens such as ``HH AH0 L OW1``, with a space between words and the punctuation that is heard."""
    tokens: list[str] = []
    stress = "0"
    for index, char in enumerate(phonemes):
        if char in _STRESS:
            stress = _STRESS[char]
        elif char in _VOWELS:
            coloured = char == "ə" and phonemes[index + 1 : index + 2] == "ɹ"  # the end of "butter" is one vowel
            tokens.append(("ER" if coloured else _VOWELS[char]) + stress)
            stress = "0"
        elif char == "ɹ" and tokens and tokens[-1].startswith("ER") and phonemes[index - 1] in "ɜə":
            continue  # the vowel has it already
        elif char in _CONSONANTS:
            tokens.append(_CONSONANTS[char])
        elif char in _PUNCTUATION:
            tokens.append(_PUNCTUATION[char])
        elif char.isspace() and tokens and tokens[-1] != " ":
            tokens.append(" ")
    return tokens
