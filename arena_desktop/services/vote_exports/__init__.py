"""Votes as files: what is exported (:mod:`.source`), and one module a format. Each has ``write(source, stream)``."""
