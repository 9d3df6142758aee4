"""The fault that an adapter raises on purpose. Standard library only."""


class EngineFault(Exception):
    """An expected fault of an engine, worded for a person.

    ``kind`` is one of the values of ``arena_desktop.engines.types.FailureKind`` (``missing``, ``text``, ``settings``, ``out_of_memory``,
    ``engine``, …); an unknown one counts as ``engine``. ``message`` says what happened and to what, ``remedy`` what to do (may be empty).
    """

    def __init__(self, kind: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.remedy = remedy
