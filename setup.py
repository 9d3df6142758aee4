"""Build step: the roster at the top of the checkout ships inside the package."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithRoster(build_py):
    """The usual build, plus ``models.yaml``."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "arena_desktop" / "models.yaml"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(__file__).resolve().parent / "models.yaml", target)


setup(cmdclass={"build_py": BuildWithRoster})
