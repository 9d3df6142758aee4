"""Arena Desktop: blind listening tests of text-to-speech voices, offline."""

__version__ = "0.1.0"
