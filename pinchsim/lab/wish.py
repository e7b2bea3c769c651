"""How precise a run is wished to be, as text: '0.1pp', '0.05' or 'verdict' (METHODS M2.2)."""

import re
from decimal import Decimal
from typing import Any

VERDICT = "verdict"
_NUMBER = re.compile(r"([0-9]*\.?[0-9]+)\s*(pp|%)?")


def wish(value: Any) -> str:
    """A wished precision in its one spelling: '0.10 pp' is '0.1pp'; raises `ValueError`, which says what is possible."""
    text = f"{value:f}" if isinstance(value, float) else str(value).strip().lower()
    if text == VERDICT:
        return VERDICT
    found = _NUMBER.fullmatch(text)
    if not found or not Decimal(found[1]) > 0:
        raise ValueError("expected a half-width such as 0.1pp (shares) or 0.05 (in the unit of other measures), or 'verdict'")
    return f"{Decimal(found[1]).normalize():f}{'pp' if found[2] else ''}"


def half_width(wished: str, is_share: bool) -> float:
    """The half-width that was wished for, in the unit of the measure; raises `ValueError` if it is that of another kind."""
    if wished.endswith("pp") != is_share:
        raise ValueError(
            f"a precision of {wished} needs a share; this measure is told in a unit of its own: give a plain number"
            if wished.endswith("pp")
            else f"a share needs a precision in percentage points, such as {wished}pp"
        )
    return float(wished.removesuffix("pp")) / (100 if is_share else 1)
