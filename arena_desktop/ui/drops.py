"""Files dropped on the window: what they are, what will happen, and why not."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QFileInfo, QMimeData, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from arena_desktop.errors import ArenaError
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme

_DROP = "Drop vote logs, a list of sentences (text or CSV), or a folder with models."
_MOST_LOOKED_INTO = 20
"""Files. Nobody drops more lists of sentences, and looking must not hold up the drag."""
_MODELS = (".onnx", ".safetensors", ".gguf", ".ckpt", ".pth", ".pt")
"""Endings of files that are weights and no votes."""
_LOOK = "You will see what lies there and what can speak. Nothing is copied or run."
_SAFE = "You will see what an import would do before anything is done."
_SPEAK = "They are spoken from the next battle on. They stay on this machine."


@dataclass(frozen=True)
class Dropped:
    """The files that something dropped stands for (``paths`` vote logs, ``models`` where models are looked for,
    ``texts`` a file with sentences), or why there are none.
    """

    paths: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    texts: str = ""
    refusal: ArenaError | None = None


def dropped(mime: QMimeData) -> Dropped:
    """What to make of something dropped: files alone, all of them or none."""
    if not mime.hasUrls():
        return _refused("Only files can be dropped here.", _DROP)
    paths: list[str] = []
    models: list[str] = []
    for url in mime.urls():
        if not url.isLocalFile():
            remedy = "Nothing is downloaded by itself: download it, then drop the file."
            return _refused(f"{_short(url.toDisplayString())} is not a file on this machine.", remedy)
        path = url.toLocalFile()
        info = QFileInfo(path)
        if info.isDir() and info.isReadable():
            models.append(path)
            continue
        if not info.isFile() or not info.isReadable():
            return _refused(f"{_short(path)} is no file that can be read.", _DROP)
        (models if path.lower().endswith(_MODELS) else paths).append(path)
    if paths and models:
        return _refused(
            "Vote logs and models were dropped together.", "Drop them apart: votes are imported, models looked at."
        )
    if not paths and not models:
        return _refused("Nothing that was dropped is a file.", _DROP)
    return Dropped((), tuple(dict.fromkeys(models))) if models else _files(list(dict.fromkeys(paths)))


def _files(paths: list[str]) -> Dropped:
    """Vote logs, or a file with sentences: what is in them tells."""
    from arena_desktop.services.given import Given, given_as

    kinds = {path: given_as(path) for path in paths[:_MOST_LOOKED_INTO]}
    unclear = next((path for path, kind in kinds.items() if kind is Given.EITHER), None)
    if unclear is not None:
        return _refused(
            f"{_short(unclear)} may be a list of sentences or a table of votes: it has columns of both.",
            "Choose it under Sentences on the Listen page, or import it on the History page.",
        )
    texts = [path for path, kind in kinds.items() if kind is Given.TEXTS]
    if not texts:
        return Dropped(tuple(paths))
    if len(texts) < len(paths):
        return _refused("Vote logs and sentences were dropped together.", "Drop them apart.")
    if len(texts) > 1:
        return _refused(
            f"{len(texts)} lists of sentences were dropped, and one is spoken at a time.", "Drop one, or join them."
        )
    return Dropped(texts=texts[0])


def _refused(message: str, remedy: str) -> Dropped:
    return Dropped(refusal=ArenaError(message, remedy))


def _short(words: str, longest: int = 120) -> str:
    words = " ".join(text.undirected(words).split())
    return words if len(words) <= longest else f"{words[:longest]}…"


class DropSign(QWidget):
    """Covers the window while something is dragged over it, and says what a drop will do."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._more, self._refused = "", "", False
        self.setObjectName("dropSign")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_drop(self, what: Dropped) -> None:
        """Cover the window and say what a drop will do."""
        self._refused = what.refusal is not None
        if what.refusal is not None:
            self._words, self._more = what.refusal.message, what.refusal.remedy
        elif what.models:
            one = text.counted(len(what.models), "folder") if len(what.models) > 1 else _short(what.models[0])
            self._words, self._more = f"Drop to look for models in {one}", _LOOK
        elif what.texts:
            self._words, self._more = f"Drop to have the sentences of {_short(what.texts)} spoken", _SPEAK
        else:
            self._words, self._more = f"Drop to look into {text.counted(len(what.paths), 'file')}", _SAFE
        self.setAccessibleName(f"{self._words} {self._more}")
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(tokens.window)
        ground.setAlphaF(0.94)
        painter.fillRect(self.rect(), ground)
        ink = QColor(tokens.warning if self._refused else tokens.accent)
        inset = px(1)
        frame = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, px(0.6), px(0.6))
        box = frame.adjusted(px(2), 0, -px(2), 0)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        painter.setPen(ink)
        painter.setFont(self._theme.font(1.5))
        painter.drawText(
            QRectF(box.left(), box.top(), box.width(), box.height() / 2 - px(0.3)),
            flags | Qt.AlignmentFlag.AlignBottom,
            self._words,
        )
        painter.setPen(QColor(tokens.text))
        painter.setFont(self._theme.font())
        painter.drawText(
            QRectF(box.left(), box.center().y() + px(0.3), box.width(), box.height() / 2),
            flags | Qt.AlignmentFlag.AlignTop,
            self._more,
        )
        painter.end()


class FileDrops(QObject):
    """Takes what is dropped anywhere on ``window``: ``take`` gets paths of vote logs, ``look`` places where
    models may lie, ``speak`` a file with sentences, ``refuse`` the reason why there are none.
    """

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        take: Callable[[tuple[str, ...]], None],
        look: Callable[[tuple[str, ...]], None],
        speak: Callable[[str], None],
        refuse: Callable[[ArenaError], None],
    ) -> None:
        super().__init__(window)
        self._window, self._take, self._look, self._speak, self._refuse = window, take, look, speak, refuse
        self._over = Dropped()
        self.sign = DropSign(theme, window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def pass_through_fields(self) -> None:
        """Have files dropped on text fields come here, too: a field would take their names as text."""
        fields: list[QWidget] = list(self._window.findChildren(QLineEdit))
        fields += [field.viewport() for field in self._window.findChildren(QPlainTextEdit)]
        for field in fields:
            field.installEventFilter(self)  # a second time does no harm

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind not in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop, QEvent.Type.DragLeave):
            return False
        if watched is not self._window:
            return self._pass(event)
        if isinstance(event, QDragEnterEvent):
            self._over = dropped(event.mimeData())
            self.sign.show_drop(self._over)
            _accept(event)
        elif isinstance(event, QDragMoveEvent):
            _accept(event)
        elif isinstance(event, QDropEvent):
            self.sign.hide()
            what = dropped(event.mimeData())
            _accept(event)
            # Later: whoever dragged waits until this is over.
            QTimer.singleShot(0, self, lambda: self._dropped(what))
        else:
            self.sign.hide()
        return True

    def _pass(self, event: QEvent) -> bool:
        """Files over a text field are the window's."""
        if isinstance(event, QDropEvent) and event.mimeData().hasUrls():
            event.ignore()
            return True
        return False

    def _dropped(self, what: Dropped) -> None:
        if what.refusal is not None:
            self._refuse(what.refusal)
        elif what.models:
            self._look(what.models)
        elif what.texts:
            self._speak(what.texts)
        elif what.paths:
            self._take(what.paths)


def _accept(event: QDropEvent) -> None:
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
