"""The real window with its real services in the test's own process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication

from arena_desktop.app import Composition
from arena_desktop.domain.settings import Settings
from arena_desktop.services.trace import Trace
from arena_desktop.services.views import DeviceChoice, ListenView, ModelsView
from arena_desktop.ui.bridge import Bridge
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.window_services import WindowServices


class Watched(MainWindow):
    """The window, which also keeps the views it was given."""

    def __init__(self) -> None:
        super().__init__(Settings())
        self.views: list[ListenView] = []
        self.models_views: list[ModelsView] = []
        self.devices_known = False

    def show_devices(self, devices: tuple[DeviceChoice, ...]) -> None:
        self.devices_known = True
        super().show_devices(devices)

    def show_models(self, view: ModelsView) -> None:
        self.models_views.append(view)
        super().show_models(view)

    def show_listen(self, view: ListenView) -> None:
        self.views.append(view)
        super().show_listen(view)


class Room:
    """The window with its services."""

    def __init__(self, window: Watched, services: WindowServices, folder: Path) -> None:
        self.window = window
        self.services = services
        self.folder = folder

    @property
    def view(self) -> ListenView:
        """The Listen page as it stands."""
        return self.window.views[-1] if self.window.views else ListenView()


@contextmanager
def open_room(composition: Composition, speed: float = 1.0) -> Iterator[Room]:
    """Open the window on the present QApplication; everything has ended when the block is left."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app, "light")
    window = Watched()
    window.build(theme)
    bridge = Bridge()
    services = WindowServices(composition, window, bridge.post, Trace(None), speed)
    window.attach(services)
    window.show()
    try:
        yield Room(window, services, composition.paths.data)
    finally:
        window.detach()
        bridge.close()
        services.close()
        window.close()
        for owned in (window, bridge, theme):
            owned.deleteLater()
