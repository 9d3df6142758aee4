"""The fixed set: six texts a language that a model speaks before it competes, and how long they are when read aloud."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

PER_DIGIT = 5.0
"""Letters of a digit that is read aloud: "seven"."""
PER_SIGN = 2.0
"""Morae of a Chinese character that is read in Japanese."""


@dataclass(frozen=True)
class FixedText:
    """``kind`` says what is hard about it; ``letters`` how many letters it has when it is read aloud, numbers as words
    (in Japanese: morae). ``read`` is the text as read aloud, "" where that is the text itself or isn't known.
    """

    kind: str
    text: str
    letters: float
    read: str = ""


@dataclass(frozen=True)
class FixedSet:
    """The texts of one language. ``language`` is its code. Not ``exact``: how long they are read aloud is a guess."""

    language: str
    texts: tuple[FixedText, ...]
    exact: bool = True


_READ = {
    "en": (
        (
            "sentence",
            "The old lamp by the window hums a little at night.",
            "The old lamp by the window hums a little at night.",
        ),
        (
            "numbers",
            "The room costs 148 euros a night, and the train leaves at 7:35.",
            "The room costs one hundred and forty-eight euros a night, and the train leaves at seven thirty-five.",
        ),
        (
            "names",
            "Charlotte Nguyen and Igor Petrov met Miguel in Gloucester.",
            "Charlotte Nguyen and Igor Petrov met Miguel in Gloucester.",
        ),
        (
            "long",
            (
                "We had walked since early morning, and by the time the path came out of the trees nobody "
                "spoke any more. Far below us lay the lake, grey and still. A boat crossed it slowly, so "
                "slowly that it hardly seemed to move, and behind it the water closed again as if nothing "
                "had been there. Then somebody laughed, and we went on."
            ),
            "",
        ),
        ("one word", "Umbrella.", "Umbrella."),
        (
            "punctuation",
            "Wait — is that (really) true? \"Yes\", he said; 'it is': look here … and there!",
            "",
        ),
    ),
    "de": (
        ("sentence", "Die alte Lampe am Fenster summt nachts ein wenig.", ""),
        (
            "numbers",
            "Das Zimmer kostet 148 Euro, und der Zug fährt um 7.35 Uhr.",
            "Das Zimmer kostet hundertachtundvierzig Euro, und der Zug fährt um sieben Uhr fünfunddreißig.",
        ),
        ("names", "Charlotte Müller und Igor Petrow trafen Jürgen in Osnabrück.", ""),
        (
            "long",
            (
                "Wir waren seit dem frühen Morgen gegangen, und als der Weg aus den Bäumen trat, sprach "
                "niemand mehr. Weit unter uns lag der See, grau und still. Ein Boot fuhr langsam hinüber, "
                "so langsam, dass es sich kaum zu bewegen schien, und hinter ihm schloss sich das Wasser "
                "wieder. Dann lachte jemand, und wir gingen weiter."
            ),
            "",
        ),
        ("one word", "Regenschirm.", ""),
        ("punctuation", "Warte — ist das (wirklich) wahr? „Ja“, sagte er; „so ist es“: sieh hier … und dort!", ""),
    ),
    "es": (
        ("sentence", "La vieja lámpara de la ventana zumba un poco por la noche.", ""),
        (
            "numbers",
            "La habitación cuesta 148 euros y el tren sale a las 7:35.",
            "La habitación cuesta ciento cuarenta y ocho euros y el tren sale a las siete y treinta y cinco.",
        ),
        ("names", "Carlota Núñez e Igor Petrov vieron a Miguel en Zaragoza.", ""),
        (
            "long",
            (
                "Habíamos caminado desde la mañana temprano, y cuando el sendero salió de los árboles ya "
                "nadie hablaba. Muy abajo estaba el lago, gris y quieto. Una barca lo cruzaba despacio, "
                "tan despacio que apenas parecía moverse, y detrás de ella el agua se cerraba otra vez. "
                "Entonces alguien se rio y seguimos adelante."
            ),
            "",
        ),
        ("one word", "Paraguas.", ""),
        ("punctuation", "Espera, ¿es (realmente) verdad? «Sí», dijo; «así es»: ¡mira aquí… y allí!", ""),
    ),
    "fr": (
        ("sentence", "La vieille lampe de la fenêtre bourdonne un peu la nuit.", ""),
        (
            "numbers",
            "La chambre coûte 148 euros et le train part à 7 h 35.",
            "La chambre coûte cent quarante-huit euros et le train part à sept heures trente-cinq.",
        ),
        ("names", "Charlotte Lefèvre et Igor Petrov ont vu Michel à Besançon.", ""),
        (
            "long",
            (
                "Nous marchions depuis tôt le matin, et quand le chemin sortit des arbres, plus personne "
                "ne parlait. Loin en dessous de nous s'étendait le lac, gris et calme. Une barque le "
                "traversait lentement, si lentement qu'elle semblait à peine bouger, et derrière elle "
                "l'eau se refermait. Puis quelqu'un rit, et nous repartîmes."
            ),
            "",
        ),
        ("one word", "Parapluie.", ""),
        (
            "punctuation",
            "Attends : est-ce (vraiment) vrai ? « Oui », dit-il ; « c'est vrai » … regarde ici, et là !",
            "",
        ),
    ),
    "it": (
        ("sentence", "La vecchia lampada alla finestra ronza un poco di notte.", ""),
        (
            "numbers",
            "La camera costa 148 euro e il treno parte alle 7.35.",
            "La camera costa centoquarantotto euro e il treno parte alle sette e trentacinque.",
        ),
        ("names", "Carlotta Bianchi e Igor Petrov hanno visto Michele a Perugia.", ""),
        (
            "long",
            (
                "Camminavamo dal mattino presto, e quando il sentiero uscì dagli alberi nessuno parlava "
                "più. Lontano, sotto di noi, c'era il lago, grigio e fermo. Una barca lo attraversava "
                "piano, così piano che sembrava quasi non muoversi, e dietro di lei l'acqua si richiudeva. "
                "Poi qualcuno rise, e andammo avanti."
            ),
            "",
        ),
        ("one word", "Ombrello.", ""),
        ("punctuation", "Aspetta: è (davvero) vero? «Sì», disse; «è così» … guarda qui, e là!", ""),
    ),
    "ja": (
        ("sentence", "窓の古い明かりが夜にかすかな音を立てる。", "まどのふるいあかりがよるにかすかなおとをたてる"),
        (
            "numbers",
            "部屋は一泊148ユーロで、列車は7時35分に出ます。",
            "へやはいっぱくひゃくよんじゅうはちユーロでれっしゃはしちじさんじゅうごふんにでます",
        ),
        (
            "names",
            "田中さんと鈴木さんは大阪で山本さんに会いました。",
            "たなかさんとすずきさんはおおさかでやまもとさんにあいました",
        ),
        (
            "long",
            (
                "朝早くから歩き続け、道が木々の間を抜けたころには、もうだれも話さなかった。はるか"
                "下に灰色の静かな湖があった。小さな船がゆっくりと渡っていった。そしてだれかが笑い"
                "、私たちはまた歩き出した。"
            ),
            (
                "あさはやくからあるきつづけみちがきぎのあいだをぬけたころにはもうだれもはなさなか"
                "ったはるかしたにはいいろのしずかなみずうみがあったちいさなふねがゆっくりとわたっ"
                "ていったそしてだれかがわらいわたしたちはまたあるきだした"
            ),
        ),
        ("one word", "こんにちは。", "こんにちは"),
        (
            "punctuation",
            "待って、それは（本当に）本当？「はい」と彼は言った。ほら、ここ…そして、あそこ！",
            "まってそれはほんとうにほんとうはいとかれはいったほらここそしてあそこ",
        ),
    ),
}


def letters_of(text: str) -> float:
    """About how many letters ``text`` has when it is read aloud; of Japanese, how many morae."""
    return sum(map(_letters, unicodedata.normalize("NFC", text)))


def _letters(letter: str) -> float:
    if letter in "ゃゅょャュョ":  # part of the mora before
        return 0.0
    if unicodedata.category(letter)[0] == "N":
        return PER_DIGIT
    if "\u4e00" <= letter <= "\u9fff":
        return PER_SIGN
    return float(letter.isalpha() or letter == "ー")


def _set(language: str) -> FixedSet:
    texts = tuple(FixedText(kind, text, letters_of(read or text), read) for kind, text, read in _READ[language])
    return FixedSet(language, texts)


FIXED_SETS: Mapping[str, FixedSet] = MappingProxyType({language: _set(language) for language in _READ})
"""By language code."""


def base_of(language: str) -> str:
    """The language of a code such as ``en-GB``: ``en``."""
    return language.lower().replace("_", "-").split("-")[0]


def fixed_set(languages: Iterable[str]) -> FixedSet | None:
    """The set in the first of these languages that has one; None without one."""
    for language in languages:
        found = FIXED_SETS.get(base_of(language))
        if found is not None:
            return found
    return None
