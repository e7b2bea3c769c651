"""A recipe on its way to other machines: strategies travel as texts and lie in a temporary folder there.

Files are told apart by the digest of their strategy, and a file lies beside the one that it plays after, so that it finds the
same there as here, whatever a worker has of its own. Errors name files as the user knows them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pinchsim.lab.work import Recipe
from pinchsim.strategy.library import Strategy


class Text(NamedTuple):
    """A file as it was when the run began: its path there, the folder that it gets, and what it says."""

    path: Path
    folder: str
    text: str

    def put_in(self, folder: Path) -> Path:
        """Write the file, beside those that it belongs to; returns where it is now."""
        place = folder / self.folder / self.path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(self.text, encoding="utf-8")
        return place


@dataclass(frozen=True)
class Parcel:
    """A recipe, and the texts of all files that it needs; `unpacked` there."""

    recipe: Recipe
    texts: tuple[Text, ...]

    def unpacked(self, folder: Path) -> tuple[Recipe, Callable[[str], str]]:
        """The recipe with its files in a folder, and a function that names them in messages as they are known to the user."""
        places = {text: text.put_in(folder) for text in self.texts}
        first = {text.path: place for text, place in reversed(places.items())}

        def moved(strategies: tuple[Strategy, ...]) -> tuple[Strategy, ...]:
            return tuple(replace(strategy, path=first[strategy.path]) for strategy in strategies)

        def as_known(message: str) -> str:
            for text, place in places.items():
                message = message.replace(str(place), str(text.path))
            return message

        cells = tuple(cell._replace(strategies=moved(cell.strategies)) for cell in self.recipe.cells)
        return replace(self.recipe, cells=cells, together=moved(self.recipe.together)), as_known


def packed(recipe: Recipe) -> Parcel:
    """A recipe for other machines; raises `UsageError` if a strategy's file is wrong."""
    strategies = {s.path: s for some in (recipe.together, *(cell.strategies for cell in recipe.cells)) for s in some}
    own = [Text(s.path, s.digest, s.source) for s in strategies.values()]
    models = [Text(m.path, s.digest, m.source) for s in strategies.values() if (m := s.model)]
    return Parcel(recipe, (*own, *models))
