"""Texts that a person may type and an engine may choke on. Each must give speech or one clear sentence, never a
hang.
"""

ODD_TEXTS = {
    "empty": "",
    "spaces": "   \t  ",
    "line breaks only": "\n\n\r\n",
    "punctuation only": "... !? — (…)",
    "emoji": "😀🎉👩‍👩‍👧",
    "a word and an emoji": "Party 🎉",
    "one word": "Yes",
    "one letter": "a",
    "numbers": "In 1999, 3.14159 of $1,234,567.89 were 50% at 7:30 pm on 01/02/2003.",
    "a very long number": "7" * 60,
    "letters and signs without a space": "a-b-" * 60,
    "Chinese": "你好，世界。今天天气很好。",
    "Arabic": "مرحبا بالعالم، كيف حالك؟",
    "html": "<p>Hello &amp; <b>welcome</b></p><script>alert('x')</script>",
    "lines": "First line.\nSecond line\n\n\nThird line.",
    "300 letters without a space": "a" * 300,
    "NUL and other control characters": "Good\x00 morning\x07\x1b[31m, friend\x7f.",
    "combining marks": "Cafe\u0301 nai\u0308ve " + "e" + "\u0301\u0302\u0323" * 40 + " done.",
    "half a surrogate pair": "Fine \ud83d day",
    "right to left and invisible marks": "\u202eHello\u200b \u2066world\u2069\ufeff",
    "an address": "See https://example.org/a/very/long/path?with=a&query=" + "string" * 20,
    "markup of old engines": '<volume level="200"><genfile file="out.wav"/>[[h@l@U]] Hello</volume>',
    "2,000 letters": "The quick brown fox jumps over the lazy dog, and runs away. " * 34,
    "2,000 letters without a stop": "word " * 400,
}
SILENT = ("empty", "spaces", "line breaks only", "punctuation only")
LONG = ("2,000 letters", "2,000 letters without a stop")
