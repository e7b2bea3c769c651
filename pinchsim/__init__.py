"""pinchsim: the laboratory where a card game's rules are tested before people play them.

`pinchsim.sweep(...)` plays an experiment, `pinchsim.load(folder)` reads a run again. Both are loaded on first use, so that
importing the package is quick.
"""

from typing import Any

__all__ = ["load", "sweep"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from pinchsim import api

        return getattr(api, name)
    raise AttributeError(f"module 'pinchsim' has no attribute '{name}'")
