"""What a model is asked to say to be heard."""

from collections.abc import Iterable

SENTENCES = {
    "en": "The birch canoe slid on the smooth planks.",
    "de": "Das kleine Boot glitt leise über den See.",
    "fr": "Le petit bateau glisse sur le lac tranquille.",
    "es": "La pequeña barca cruza despacio el lago.",
    "it": "La piccola barca attraversa piano il lago.",
    "pt": "O pequeno barco atravessa o lago devagar.",
    "hi": "छोटी नाव धीरे-धीरे झील पार करती है।",
    "ja": "小さな船が静かな湖を渡っていく。",
    "zh": "小船慢慢地划过平静的湖面。",
}
"""A sentence a language; English for the others."""


def sample_for(languages: Iterable[str]) -> str:
    """A sentence in the first of these languages (codes such as ``en-GB``) that there is one in."""
    for language in languages:
        found = SENTENCES.get(language.lower().split("-")[0].split("_")[0])
        if found is not None:
            return found
    return SENTENCES["en"]
