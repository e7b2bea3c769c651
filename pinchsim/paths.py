"""Where the shipped folders and the cache are, in a checkout and in an installed package alike."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = PACKAGE.parent


def shipped(kind: str) -> Path:
    """Folder of the shipped `strategies` or `experiments`: the checkout's own, else the copy inside the package."""
    in_checkout = _CHECKOUT / kind
    if (_CHECKOUT / "pyproject.toml").is_file() and in_checkout.is_dir():
        return in_checkout
    return PACKAGE / "_shipped" / kind


def cache_folder() -> Path:
    """Folder for compiled kernels: `PINCHSIM_CACHE`, else the user's cache folder. It may be deleted at any time."""
    given = os.environ.get("PINCHSIM_CACHE")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("pinchsim"))
