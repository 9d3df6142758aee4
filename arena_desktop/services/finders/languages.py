"""Languages as models name them, told by the codes of the roster."""

import re

_CODE = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})?")

TITLES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "ko": "Korean",
    "lb": "Luxembourgish",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "ml": "Malayalam",
    "mr": "Marathi",
    "ms": "Malay",
    "ne": "Nepali",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "te": "Telugu",
    "th": "Thai",
    "tl": "Filipino",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "yo": "Yoruba",
    "zh": "Chinese",
}
"""What an arena of a language is called."""

_THREE = {
    "ara": "ar",
    "ben": "bn",
    "bul": "bg",
    "cat": "ca",
    "ces": "cs",
    "cmn": "zh",
    "cym": "cy",
    "dan": "da",
    "deu": "de",
    "ell": "el",
    "eng": "en",
    "est": "et",
    "eus": "eu",
    "fas": "fa",
    "fin": "fi",
    "fra": "fr",
    "gle": "ga",
    "heb": "he",
    "hin": "hi",
    "hrv": "hr",
    "hun": "hu",
    "ind": "id",
    "isl": "is",
    "ita": "it",
    "jpn": "ja",
    "kat": "ka",
    "kaz": "kk",
    "kor": "ko",
    "lav": "lv",
    "lit": "lt",
    "ltz": "lb",
    "mal": "ml",
    "mar": "mr",
    "msa": "ms",
    "nep": "ne",
    "nld": "nl",
    "nor": "no",
    "pes": "fa",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rus": "ru",
    "slk": "sk",
    "slv": "sl",
    "spa": "es",
    "sqi": "sq",
    "srp": "sr",
    "swe": "sv",
    "swh": "sw",
    "tam": "ta",
    "tel": "te",
    "tgl": "tl",
    "tha": "th",
    "tur": "tr",
    "ukr": "uk",
    "urd": "ur",
    "vie": "vi",
    "yor": "yo",
    "zho": "zh",
}
_BY_TITLE = {title.casefold(): code for code, title in TITLES.items()}
_SAME = {"jp": "ja", "cn": "zh", "kr": "ko", "nb": "no"}
"""Codes that models use and no list of languages has, or that name one written language."""


def code_of(word: str) -> str:
    """The roster's code for a language as a model names it (``en_US``, ``deu``, ``German``); "" for what is none."""
    text = word.strip().replace("_", "-")
    known = _BY_TITLE.get(text.casefold())
    if known is not None:
        return known
    if not _CODE.fullmatch(text):
        return ""
    base, _, region = text.partition("-")
    base = base.lower()
    base = _THREE.get(base, _SAME.get(base, base))
    return f"{base}-{region.upper() if len(region) == 2 else region}" if region else base


def codes_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The codes of what is a language among ``words``, each once."""
    return tuple(dict.fromkeys(code for code in map(code_of, words) if code))


def title_of(code: str) -> str:
    """What the language of a code is called in English; the code itself where the name isn't known."""
    return TITLES.get(code.partition("-")[0].lower(), code)
