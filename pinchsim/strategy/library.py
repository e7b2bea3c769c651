"""Finding strategies: a strategy is one file in a folder, and its file name is its name.

A `.py` file is code, a `.toml` file is data for a policy of the game: the weights that it plays by. Settings may follow the
name of the latter, as in `champion:temperature=0.5` or, for its main setting, `search:200`.

Folders are searched in this order: those given (`--strategies DIR`), `./strategies/<game>/`, and the library that comes
with pinchsim. The first file of a name wins.
"""

import ast
import difflib
import hashlib
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pinchsim.errors import UsageError
from pinchsim.paths import shipped

POLICY = "*"  # begins the code of a policy, which no file name can


@dataclass(frozen=True)
class Strategy:
    """A strategy file that was found; `built_in` if it came with pinchsim.

    `settings` are the names and values that were written behind its name, the empty name for the main setting; `game` is
    the game that it plays.
    """

    name: str
    path: Path
    built_in: bool
    settings: tuple[tuple[str, str], ...] = ()
    game: str = "pinch"

    @property
    def is_module(self) -> bool:
        """Whether the file is code, not data for a policy."""
        return self.path.suffix == ".py"

    @property
    def code(self) -> str:
        """What is compiled for it: its own name, or the policy of its file, which others may share."""
        return self.name if self.is_module else f"{POLICY}{self.data.get('policy', '')}"

    @property
    def data(self) -> dict[str, Any]:
        """Contents of a `.toml` file.

        Raises
        ------
        UsageError
            It is not valid TOML.
        """
        try:
            return _parsed(self.source)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{self.path}: not a valid TOML file: {error}.") from None

    @property
    def model(self) -> "Strategy | None":
        """The strategy after which a `.toml` file plays ("plays_like"): one of its folder, or one that is shipped.

        Raises
        ------
        UsageError
            There is none of that name.
        """
        name = "" if self.is_module else self.data.get("plays_like", "")
        return find(self.game, str(name), (self.path.parent,)) if name else None

    @property
    def digest(self) -> str:
        """Hash of the texts that decide how it plays, but for the settings in its name."""
        texts = [s.source for s in (self, self.model) if s]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]

    @property
    def source(self) -> str:
        """Text of the file as it is now."""
        try:
            return self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise UsageError(f"{self.path}, line 1: not a text file in UTF-8; save it as UTF-8.") from None

    @property
    def idea(self) -> str:
        """First line of the file's docstring, or of a `.toml` file's leading comment; may be empty."""
        try:
            if not self.is_module:
                first = self.source.split("\n")[0]
                return first.removeprefix("#").strip() if first.startswith("#") else ""
            doc = ast.get_docstring(ast.parse(self.source))
        except (SyntaxError, ValueError, UsageError):
            return ""
        return (doc or "").strip().split("\n")[0]


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Any]:
    """The contents of a TOML text: a table of all weights takes a tenth of a second, and is asked for again and again."""
    return tomllib.loads(text)


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
        for path in sorted([*folder.glob("*.py"), *folder.glob("*.toml")]):
            if not path.name.startswith("_"):
                built_in = path.parent.resolve() == shipped_folder
                found.setdefault(path.stem, Strategy(path.stem, path.resolve(), built_in, game=game))
    return dict(sorted(found.items()))


def find(game: str, name: str, extra: tuple[Path, ...] = ()) -> Strategy:
    """The strategy of this name.

    Raises
    ------
    UsageError
        No folder holds a file of this name; says which names there are.
    """
    known = all_strategies(game, extra)
    file, *words = name.split(":")
    if file not in known:
        close = difflib.get_close_matches(file, known, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise UsageError(f"'{file}' is not a strategy.{hint} Known: {', '.join(known)}.")
    settings = tuple((key, value) if is_named else ("", key) for key, is_named, value in (w.partition("=") for w in words))
    if settings and known[file].is_module:
        raise UsageError(f"'{name}': '{file}' has no settings; only strategies of a .toml file have.")
    return replace(known[file], name=name, settings=settings)
