"""Speaks in Morse code. ``engine: morse``; ``settings: {pitch: 600}`` Hz."""

import numpy as np

RATE, DOT_S = 16000, 0.02
TABLE = (
    "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. "
    "s... t- u..- v...- w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----."
)
CODE = {entry[0]: entry[1:] for entry in TABLE.split()}


class Engine:
    """What the program asks of an engine."""

    def __init__(self, files, settings, search):
        self.pitch = settings.get("pitch", 600)

    def check(self):
        if isinstance(self.pitch, (int, float)) and 100 <= self.pitch <= 4000:
            return []
        return [{"what": f"a pitch, not {self.pitch!r}", "remedy": "Write settings: {pitch: 600}."}]

    def version(self):
        return "arena-morse 1.0"

    def weight_files(self):
        return [__file__]

    def reference_files(self, voice):
        return []

    def load(self, device):
        return {"device": "cpu", "dtype": "float32"}

    def speak(self, text, voice, settings, take):
        parts = [np.zeros(RATE // 20)]
        for sign in " ".join(CODE.get(letter, " ") for letter in text.lower()):
            length = {".": 1, "-": 3, " ": 2}[sign] * DOT_S
            time = np.arange(int(length * RATE)) / RATE
            parts += [0.3 * np.sin(2 * np.pi * self.pitch * time) * (sign != " "), np.zeros(int(DOT_S * RATE))]
        return np.concatenate(parts).astype(np.float32), RATE

    def close(self):
        pass
