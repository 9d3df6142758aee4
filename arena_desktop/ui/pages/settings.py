"""The Settings page: each setting with one line that explains it, in force from the moment it is changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from arena_desktop.domain.settings import RULES, Number, Settings
from arena_desktop.services.actions import SettingsActions
from arena_desktop.services.views import DeviceChoice
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Dropdown, NumberField, Slider, Switch
from arena_desktop.ui.widgets.setting_row import SettingGroup

_DEFAULT_DEVICE = ""


class SettingsPage(QWidget):
    """Starts from ``settings``; every change is shown at once and forwarded by name."""

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self.setObjectName("settingsPage")
        self._theme, self._settings = theme, settings
        self._actions: SettingsActions | None = None
        self._device = Dropdown("Output device", theme)
        self._device.setObjectName("outputDevice")
        self._refresh = IconButton(
            "Refresh", "refresh", theme, name="Refresh the devices", tip="Look for devices again"
        )
        self._refresh.setObjectName("refreshDevices")
        self._column = QVBoxLayout(self)
        self._build()
        self.setEnabled(False)
        theme.changed.connect(self._space)

    def attach(self, actions: SettingsActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions
        self.setEnabled(True)

    def show_devices(self, devices: tuple[DeviceChoice, ...]) -> None:
        """Offer these devices; one that is set but absent stays in the list and says so."""
        choices = [(device.name or _DEFAULT_DEVICE, _device_title(device)) for device in devices]
        current = self._settings.output_device or _DEFAULT_DEVICE
        known = {key for key, _ in choices}
        if _DEFAULT_DEVICE not in known:
            choices.insert(0, (_DEFAULT_DEVICE, "System default"))
        if current not in known | {_DEFAULT_DEVICE}:
            choices.append((current, f"{current} (not connected)"))
        self._device.show_choices(choices, current)

    # building

    def _build(self) -> None:
        title = Words("Settings", self._theme, scale=1.5, strong=True)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._groups = QVBoxLayout(inside)
        for group in (self._sound(), self._listening(), self._look(), self._machine()):
            self._groups.addWidget(group)
        self._groups.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName("Settings")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self._column.addWidget(title)
        self._column.addWidget(scroll, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(0.6), px(0.4))
        self._column.setSpacing(px(0.7))
        self._groups.setContentsMargins(0, 0, px(0.9), px(0.8))
        self._groups.setSpacing(px(0.9))

    def _sound(self) -> SettingGroup:
        group = SettingGroup("Sound", self._theme)
        self.show_devices((DeviceChoice(None, "System default"),))
        self._device.picked.connect(lambda key: self._change(output_device=key or None))
        self._refresh.clicked.connect(self._refresh_devices)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._device, 1)
        row.addWidget(self._refresh)
        group.add("Output device", "Where samples are played. Remembered by its name.", both)
        group.add(
            "Loudness",
            "Every sample is brought to this loudness (BS.1770), so that louder never wins for being louder.",
            self._slider("target_lufs", "Loudness", 1.0, lambda value: f"{text.number(value)} LUFS"),
        )
        group.add(
            "Latency",
            "How far ahead sound is handed out. Longer is safer on a busy machine, shorter answers keys sooner.",
            self._numbers(
                "latency",
                "Latency",
                [(0.02, "Short, 20 ms"), (0.05, "Normal, 50 ms"), (0.1, "Safe, 100 ms"), (0.2, "Very safe, 200 ms")],
                lambda seconds: f"{seconds * 1000:g} ms",
            ),
        )
        return group

    def _listening(self) -> SettingGroup:
        group = SettingGroup("Listening", self._theme)
        group.add(
            "Share to be heard",
            "A vote counts once this much of each sample has really been played.",
            self._slider("gate", "Share to be heard", 0.05, text.percent),
        )
        group.add(
            "Play both by themselves",
            "A new pair is played in turn, without a key. A, B and Space take over at any time.",
            self._flag("autoplay", "Play both by themselves"),
        )
        group.add(
            "Show names",
            "When you learn who played. Until then the leaderboard holds those votes back too.",
            self._reveal(),
        )
        group.add(
            "Switching sides",
            "Where a sample starts when you change to it.",
            self._words(
                "playback",
                "Switching sides",
                [("start_over", "From its start"), ("same_position", "At the same position")],
            ),
        )
        group.add(
            "Who meets whom",
            "Most votes go where the order is still open, or all pairs meet alike. Stored with each vote.",
            self._words(
                "pair_choice",
                "Who meets whom",
                [("rank-gain", "Where the order is open"), ("uniform", "All pairs alike")],
            ),
        )
        group.add("Loop", "A sample starts again when it has ended.", self._flag("loop", "Loop"))
        return group

    def _look(self) -> SettingGroup:
        group = SettingGroup("Look", self._theme)
        theme = self._words("theme", "Colours", [("system", "As the system"), ("light", "Light"), ("dark", "Dark")])
        theme.picked.connect(self._theme.set_mode)
        group.add("Colours", "Light, dark, or as the rest of the system.", theme)
        return group

    def _machine(self) -> SettingGroup:
        group = SettingGroup("This machine", self._theme)
        group.add(
            "Compute on",
            "What the models run on. Automatic takes the fastest that fits.",
            self._words(
                "device",
                "Compute on",
                _devices(self._settings.device),
            ),
        )
        group.add(
            "Room for samples",
            "Disk space kept for spoken samples. When it is full, those never voted on go first.",
            self._numbers(
                "cache_gb",
                "Room for samples",
                [(float(gb), f"{gb} GB") for gb in (1, 2, 5, 10, 20, 50)],
                lambda gb: f"{gb:g} GB",
            ),
        )
        return group

    # one control each

    def _words(
        self, setting: str, name: str, choices: list[tuple[str, str] | None] | list[tuple[str, str]]
    ) -> Dropdown:
        field = Dropdown(name, self._theme)
        field.setObjectName(f"setting_{setting}")
        field.show_choices(choices, str(getattr(self._settings, setting)))
        field.picked.connect(lambda key: self._change(**{setting: key}))
        return field

    def _numbers(
        self, setting: str, name: str, choices: list[tuple[float, str]], other: Callable[[float], str]
    ) -> Dropdown:
        field = Dropdown(name, self._theme)
        field.setObjectName(f"setting_{setting}")
        now = float(getattr(self._settings, setting))
        offered = sorted({*choices} if now in [value for value, _ in choices] else {*choices, (now, other(now))})
        field.show_choices([(f"{value:g}", title) for value, title in offered], f"{now:g}")
        field.picked.connect(lambda key: self._change(**{setting: float(key)}))
        return field

    def _flag(self, setting: str, name: str) -> Switch:
        field = Switch(name, self._theme)
        field.setObjectName(f"setting_{setting}")
        field.show_state(bool(getattr(self._settings, setting)))
        field.toggled.connect(lambda on: self._change(**{setting: on}))
        return field

    def _slider(self, setting: str, name: str, step: float, shown: Callable[[float], str]) -> QWidget:
        rule = cast(Number, RULES[setting])
        field = Slider(name, round(rule.low / step), round(rule.high / step), self._theme)
        field.setObjectName(f"setting_{setting}")
        value = Words("", self._theme)
        value.setMinimumWidth(self._theme.px(4.6))

        def say(steps: int) -> None:
            value.say(shown(steps * step))
            field.setAccessibleDescription(shown(steps * step))

        def moved(steps: int) -> None:
            say(steps)
            self._change(**{setting: round(steps * step, 4)})

        field.show_value(round(float(getattr(self._settings, setting)) / step))
        say(field.value())
        field.moved.connect(moved)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(field, 1)
        row.addWidget(value, 0, Qt.AlignmentFlag.AlignRight)
        return both

    def _reveal(self) -> QWidget:
        when = Dropdown("Show names", self._theme)
        when.setObjectName("setting_reveal")
        when.show_choices([("each", "After each vote"), ("set", "After a set")], self._settings.reveal)
        rule = cast(Number, RULES["reveal_set"])
        size = NumberField("Votes in a set", round(rule.low), round(rule.high), f" {rule.unit}")
        size.setObjectName("setting_reveal_set")
        size.show_value(self._settings.reveal_set)
        size.setEnabled(self._settings.reveal == "set")
        size.setMinimumHeight(self._theme.px(2.1))

        def picked(key: str) -> None:
            size.setEnabled(key == "set")
            self._change(reveal=key)

        when.picked.connect(picked)
        size.moved.connect(lambda votes: self._change(reveal_set=votes))
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(when, 1)
        row.addWidget(size)
        return both

    # forwarding

    def _change(self, **values: object) -> None:
        if "output_device" in values:
            name = values["output_device"]
            self._settings = _with_device(self._settings, name if isinstance(name, str) else None)
        if self._actions:
            self._actions.change(**values)

    def _refresh_devices(self) -> None:
        if self._actions:
            self._actions.refresh_devices()


def _with_device(settings: Settings, name: str | None) -> Settings:
    return replace(settings, output_device=name)


def _devices(now: str) -> list[tuple[str, str]]:
    """What models may run on; one of several GPUs is offered where the file of settings names it."""
    offered = [("auto", "Automatic"), ("cpu", "CPU"), ("cuda", "NVIDIA GPU (CUDA)"), ("mps", "Apple GPU (MPS)")]
    kind, _, number = now.partition(":")
    return [*offered, (now, f"NVIDIA GPU {number} ({kind.upper()})")] if number else offered


def _device_title(device: DeviceChoice) -> str:
    return device.title if device.present else f"{device.title} (not connected)"
