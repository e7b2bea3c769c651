"""Finding strategies: a strategy is one file in a folder, and its file name is its name.

Folders are searched in this order: those given (`--strategies DIR`), `./strategies/<game>/`, and the library that comes
with pinchsim. The first file of a name wins.
"""

import ast
import difflib
from dataclasses import dataclass
from pathlib import Path

from pinchsim.errors import UsageError
from pinchsim.paths import shipped


@dataclass(frozen=True)
class Strategy:
    """A strategy file that was found; `built_in` if it came with pinchsim."""

    name: str
    path: Path
    built_in: bool

    @property
    def source(self) -> str:
        """Text of the file as it is now."""
        try:
            return self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise UsageError(f"{self.path}, line 1: not a text file in UTF-8; save it as UTF-8.") from None

    @property
    def idea(self) -> str:
        """First line of the file's docstring, or an empty string."""
        try:
            doc = ast.get_docstring(ast.parse(self.source))
        except (SyntaxError, ValueError, UsageError):
            return ""
        return (doc or "").strip().split("\n")[0]


def folders(game: str, extra: tuple[Path, ...] = ()) -> list[Path]:
    """Folders that are searched for strategies of a game, the first to win first; only those that exist."""
    candidates = [*extra, Path("strategies") / game, shipped("strategies") / game]
    found: list[Path] = []
    for folder in candidates:
        if folder.is_dir() and folder.resolve() not in [f.resolve() for f in found]:
            found.append(folder)
    return found


def all_strategies(game: str, extra: tuple[Path, ...] = ()) -> dict[str, Strategy]:
    """Every strategy that can be found, by name, sorted."""
    shipped_folder = (shipped("strategies") / game).resolve()
    found: dict[str, Strategy] = {}
    for folder in folders(game, extra):
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_"):
                built_in = path.parent.resolve() == shipped_folder
                found.setdefault(path.stem, Strategy(path.stem, path.resolve(), built_in))
    return dict(sorted(found.items()))


def find(game: str, name: str, extra: tuple[Path, ...] = ()) -> Strategy:
    """The strategy of this name.

    Raises
    ------
    UsageError
        No folder holds a file of this name; says which names there are.
    """
    known = all_strategies(game, extra)
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    raise UsageError(f"'{name}' is not a strategy.{hint} Known: {', '.join(known)}.")
