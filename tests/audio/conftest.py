"""The software sound card for the tests of this folder."""

from tests.helpers.sound_server import no_sound_server, sound_server

__all__ = ["no_sound_server", "sound_server"]
