"""The program's source files as facts: which module imports what, where, and inside which function."""

import ast
import functools
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "arena_desktop"
MADE = ("__pycache__", "build", "dist", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis")


@dataclass(frozen=True)
class Import:
    """One import statement's target: ``where`` imports ``what`` at ``line``; ``lazily`` = inside a function."""

    where: str
    what: str
    line: int
    lazily: bool

    def __str__(self) -> str:
        return f"{self.where}:{self.line} imports {self.what}"


def modules() -> list[Path]:
    """Every source file of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """``arena_desktop.domain.votes`` of a source file."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """The parsed source."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def within(name: str, *rooms: str) -> bool:
    """Whether a dotted name is one of ``rooms`` or below one."""
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


@functools.cache
def imports() -> tuple[Import, ...]:
    """Every import of the package, relative ones made absolute; those for the type checker alone are left out."""
    return tuple(found for path in modules() for found in _imports_of(path))


def _imports_of(path: Path) -> Iterator[Import]:
    where = name_of(path)
    package = where if path.name == "__init__.py" else where.rpartition(".")[0]

    def walk(node: ast.AST, lazily: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(where, alias.name, child.lineno, lazily)
            elif isinstance(child, ast.ImportFrom):
                base = child.module or ""
                if child.level:
                    above = package.split(".")[: len(package.split(".")) - child.level + 1]
                    base = ".".join([*above, *([base] if base else [])])
                for alias in child.names:
                    yield Import(where, f"{base}.{alias.name}", child.lineno, lazily)
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from walk(child, lazily or inside)

    yield from walk(tree_of(path), False)


def tracked_files() -> list[Path]:
    """Every file that is kept in the repository; without git, every file that would be."""
    git = shutil.which("git")
    if git is not None:
        command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            listed = [ROOT / name for name in done.stdout.split("\0") if name]
            return sorted(path for path in listed if path.is_file())
    return sorted(path for path in ROOT.rglob("*") if path.is_file() and not _is_made(path.relative_to(ROOT)))


def _is_made(path: Path) -> bool:
    return any(part.startswith(".venv") or part.endswith(".egg-info") or part in MADE for part in path.parts)
