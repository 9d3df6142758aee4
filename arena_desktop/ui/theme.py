"""The look: the tokens in force, sizes that follow the font, and the one style sheet made of both."""

from dataclasses import fields

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from arena_desktop.ui.tokens import DARK, LIGHT, Tokens

SMALLEST_POINTS = 10.0


class Theme(QObject):
    """The look in force. Widgets that paint themselves read :attr:`tokens` and repaint on :attr:`changed`.

    ``mode`` is ``system``, ``light`` or ``dark``. All sizes come from :attr:`em`, the height of a line of text in
    pixels, so that a larger font or a scaled screen scales everything. The style sheet is put on by :meth:`dress`.
    """

    changed = Signal()

    def __init__(self, app: QApplication, mode: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self._mode = mode
        self._base = QFont(app.font())
        app.setStyle("Fusion")
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        self.tokens: Tokens = LIGHT
        self.em = 16.0
        self._dressed = False
        self._points = SMALLEST_POINTS
        self._apply()

    def dress(self) -> None:
        """Put the style sheet on. Done once the window is built: building under a sheet takes twice as long."""
        if not self._dressed:
            self._dressed = True
            self._app.setStyleSheet(_sheet(self))

    def set_mode(self, mode: str) -> None:
        """Take on another mode, at once."""
        if mode != self._mode:
            self._mode = mode
            self._apply()

    def set_base_font(self, font: QFont) -> None:
        """Take on another base font: every size follows."""
        self._base = QFont(font)
        self._apply()

    @property
    def dark(self) -> bool:
        """Whether the dark tokens are in force."""
        return self.tokens is DARK

    def px(self, share: float) -> int:
        """``share`` of a line's height in whole pixels, at least 1."""
        return max(1, round(self.em * share))

    def font(self, scale: float = 1.0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The base font, ``scale`` times as large."""
        font = QFont(self._base)
        font.setPointSizeF(self._points * scale)
        font.setWeight(weight)
        return font

    def _system_changed(self) -> None:
        if self._mode == "system":
            self._apply()

    def _apply(self) -> None:
        scheme = QGuiApplication.styleHints().colorScheme()
        dark = self._mode == "dark" or (self._mode == "system" and scheme == Qt.ColorScheme.Dark)
        self.tokens = DARK if dark else LIGHT
        self._points = max(QFontInfo(self._base).pointSizeF(), SMALLEST_POINTS)
        self._app.setFont(self.font())
        self.em = QFontMetricsF(self.font()).height()
        self._app.setPalette(_palette(self.tokens))
        if self._dressed:
            self._app.setStyleSheet(_sheet(self))
        self.changed.emit()


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    normal = {
        role.Window: tokens.window,
        role.WindowText: tokens.text,
        role.Base: tokens.surface,
        role.AlternateBase: tokens.window,
        role.Text: tokens.text,
        role.Button: tokens.surface,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.text,
        role.ToolTipBase: tokens.text,
        role.ToolTipText: tokens.window,
        role.PlaceholderText: tokens.muted,
        role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent,
        role.Accent: tokens.accent,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.Light: tokens.surface,
        role.Midlight: tokens.sunken,
        role.Mid: tokens.line,
        role.Dark: tokens.line_strong,
        role.Shadow: tokens.line_strong,
    }
    for which, value in normal.items():
        palette.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(tokens.muted))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Base, QColor(tokens.window))
    return palette


_SHEET = """
QToolTip {{ background: {text}; color: {window}; border: 0; padding: {p25}px {p4}px; }}
QWidget#rail {{ background: {rail}; }}
QFrame[card="true"] {{ background: {surface}; border: 1px solid {line}; border-radius: {p8}px; }}
QFrame[faded="true"] {{ background: transparent; }}
QFrame[faded="true"] QLabel {{ color: {muted}; }}
QFrame[notice="info"] {{ background: {info_soft}; border: 0; border-radius: {p4}px; }}
QFrame[notice="warning"] {{ background: {warning_soft}; border: 0; border-radius: {p4}px; }}
QFrame[notice="error"] {{ background: {error_soft}; border: 0; border-radius: {p4}px; }}
QFrame[notice="warning"] QLabel[voice="strong"] {{ color: {warning}; }}
QFrame[notice="error"] QLabel[voice="strong"] {{ color: {error}; }}
QLabel[voice="muted"] {{ color: {muted}; }}
QLabel[tone="warning"] {{ color: {warning}; }}
QLabel[tone="error"] {{ color: {error}; }}
QLabel[pill] {{ border-radius: {p4}px; padding: {p1}px {p6}px; }}
QLabel[pill="good"] {{ color: {good}; background: {good_soft}; }}
QLabel[pill="warning"] {{ color: {warning}; background: {warning_soft}; }}
QLabel[pill="error"] {{ color: {error}; background: {error_soft}; }}
QLabel[pill="plain"] {{ color: {muted}; background: {sunken}; }}
QLabel[code="true"] {{ background: {sunken}; border-radius: {p25}px; padding: {p25}px {p4}px; font-family: monospace; }}
QPushButton {{ background: {surface}; color: {text}; border: 1px solid {line_strong}; border-radius: {p4}px;
  padding: {p3}px {p6}px; min-height: {em}px; }}
QPushButton[drawn="true"] {{ border: 0; padding: 0; min-height: 0; }}
QPushButton#prepare {{ text-align: left; }}
QPushButton:hover {{ background: {sunken}; }}
QPushButton:pressed {{ background: {line}; }}
QPushButton:disabled {{ color: {muted}; border-color: {line}; background: transparent; }}
QPushButton:focus {{ border: 2px solid {focus}; padding: {p3m}px {p6m}px; }}
QPushButton[primary="true"] {{ background: {accent}; color: {on_accent}; border-color: {accent}; }}
QPushButton[primary="true"]:hover {{ background: {text}; color: {window}; border-color: {text}; }}
QPushButton[primary="true"]:disabled {{ background: transparent; color: {muted}; border-color: {line}; }}
QPushButton[primary="true"]:focus {{ border: 2px solid {text}; }}
QPushButton[quiet="true"] {{ background: transparent; border-color: transparent; padding: {p3}px {p4}px; }}
QPushButton[quiet="true"]:hover {{ background: {sunken}; }}
QPushButton[quiet="true"]:focus {{ border: 2px solid {focus}; padding: {p3m}px {p4m}px; }}
QPlainTextEdit, QLineEdit {{ background: {surface}; color: {text}; border: 1px solid {line_strong};
  border-radius: {p4}px; padding: {p25}px; selection-background-color: {accent}; selection-color: {on_accent}; }}
QPlainTextEdit:focus, QLineEdit:focus {{ border: 2px solid {focus}; }}
QScrollArea, QScrollArea > QWidget > QWidget#scrolled {{ background: transparent; border: 0; }}
QTableView {{ background: {surface}; border: 1px solid {line}; border-radius: {p8}px; gridline-color: {line};
  selection-background-color: {accent_soft}; selection-color: {text}; }}
QTableView:focus {{ border: 2px solid {focus}; }}
QHeaderView {{ background: {surface}; }}
QHeaderView::section:vertical {{ background: {surface}; color: {text}; border: 0; padding: 0 {p4}px; }}
QListView {{ background: {surface}; border: 1px solid {line}; border-radius: {p4}px; padding: {p2}px;
  selection-background-color: {accent_soft}; selection-color: {text}; outline: 0; }}
QListView:focus {{ border: 2px solid {focus}; }}
QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
QTableView QTableCornerButton::section {{ background: {surface}; border: 0; border-bottom: 1px solid {line}; }}
QMenu {{ background: {surface}; color: {text}; border: 1px solid {line_strong}; padding: {p3}px; }}
QMenu::item {{ padding: {p3}px {p8}px {p3}px {p8}px; border-radius: {p25}px; }}
QMenu::item:selected {{ background: {accent_soft}; }}
QTableView::item {{ padding: 0 {p4}px; border: 0; }}
QProgressBar {{ background: {line}; border: 0; border-radius: {p2}px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: {p2}px; }}
QScrollBar:vertical {{ background: transparent; width: {p8}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {p8}px; margin: 0; }}
QScrollBar::handle {{ background: {line_strong}; border-radius: {p2}px; margin: {p2}px;
  min-height: {em2}px; min-width: {em2}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _sheet(theme: Theme) -> str:
    colors = {field.name: getattr(theme.tokens, field.name) for field in fields(theme.tokens)}
    sizes = {f"p{parts}": theme.px(parts / 16) for parts in (1, 2, 3, 4, 5, 6, 8)}
    return _SHEET.format(
        **colors,
        **sizes,
        p25=theme.px(0.16),
        p3m=max(0, theme.px(3 / 16) - 1),
        p4m=max(0, theme.px(4 / 16) - 1),
        p6m=max(0, theme.px(6 / 16) - 1),
        em=theme.px(1.3),
        em2=theme.px(2),
    )
