"""Is it speech, and is it this sentence? A recogniser for American English, and properties that any speech has.

The recogniser answers "is this English from this sentence", not "is this good": it hears British and formant voices
badly.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.float32]
BLOCK_S = 0.01


class Ear:
    """pocketsphinx with its built-in US English model."""

    def __init__(self) -> None:
        from pocketsphinx import Decoder

        self._decoder: Any = Decoder(samprate=16000, loglevel="FATAL")

    def words(self, sound: Sound, rate: int) -> list[str]:
        """What it hears, as lower-case words; [] for no speech."""
        import soxr

        heard = np.clip(soxr.resample(sound, rate, 16000), -1.0, 1.0)
        self._decoder.start_utt()
        self._decoder.process_raw((heard * 32767.0).astype("<i2").tobytes(), full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return [] if found is None else str(found.hypstr).split()


def in_order(said: str, heard: Sequence[str]) -> int:
    """How many words of ``said`` are in ``heard`` in the same order."""
    wanted = "".join(char for char in said.lower() if char.isalpha() or char.isspace()).split()
    best = [0] * (len(heard) + 1)
    for word in wanted:
        row = [0]
        for index, other in enumerate(heard):
            row.append(best[index] + 1 if word == other else max(best[index + 1], row[index]))
        best = row
    return best[-1]


def unlike_speech(sound: Sound, rate: int, letters: int) -> list[str]:
    """What speaks against ``sound`` being speech of a text of ``letters`` letters; [] if nothing does.

    Speech has a length that fits its text, loudness that rises and falls with the syllables, and a spectrum that
    goes to and fro between voiced sounds (low) and hisses (high).
    """
    faults = []
    if sound.dtype != np.float32 or sound.ndim != 1 or not np.isfinite(sound).all():
        return [f"not finite mono float32: {sound.dtype}, {sound.shape}"]
    if not len(sound) or np.abs(sound).max() < 1e-3:
        return ["silence"]
    block = int(rate * BLOCK_S)
    blocks = sound[: len(sound) // block * block].reshape(-1, block)
    level = np.sqrt((blocks**2).mean(axis=1))
    active = level > 0.03 * level.max()
    seconds = active.sum() * BLOCK_S
    if not 0.02 * letters <= seconds <= 0.25 * letters + 0.5:
        faults.append(f"{seconds:.2f} s of sound for {letters} letters")
    if np.abs(sound).max() > 1.5 or level[active].mean() < 0.005:
        faults.append(f"a peak of {np.abs(sound).max():.2f}, a mean level of {level[active].mean():.4f}")
    rises = _rises(level) / max(seconds, 0.1)
    if not 1.0 <= rises <= 12.0:
        faults.append(f"{rises:.1f} rises of loudness a second")
    spectrum = np.abs(np.fft.rfft(blocks[active] * np.hanning(block), axis=1)) ** 2
    frequencies = np.fft.rfftfreq(block, 1.0 / rate)
    share = spectrum[:, frequencies > 2500].sum(axis=1) / np.maximum(spectrum.sum(axis=1), 1e-12)
    if not (share < 0.1).mean() > 0.2 or not (share > 0.5).mean() > 0.01:
        faults.append(f"low sounds {np.mean(share < 0.1):.2f} of the time, hisses {np.mean(share > 0.5):.2f}")
    return faults


def _rises(level: NDArray[Any]) -> int:
    """How often the smoothed loudness climbs past its own mean: about once a syllable."""
    smooth = np.convolve(level, np.hanning(9) / np.hanning(9).sum(), "same")
    above = smooth > smooth.mean()
    return int((above[1:] & ~above[:-1]).sum())
