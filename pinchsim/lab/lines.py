"""The lines of a certificate as an experiment draws them beforehand: a measure, its limits, and where they are to hold.

[[certificate]]
measure = "start_player_advantage"
low = -0.01
high = 0.01
players = [3, 4]
"""

import difflib
import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pinchsim.measure.judgeable import needs_band


class Line(BaseModel):
    """One line: the measure is to lie between `low` and `high`, both included, in every cell that it names."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    measure: str = Field(description="a measure as tables name it: pinchsim explain")
    position: int = Field(-1, ge=-1, description="a position, 0 for the start player; -1 for the whole game")
    low: float | None = Field(None, description="least value that passes, in the measure's unit: 0.01 is 1 %")
    high: float | None = Field(None, description="greatest value that passes")
    band: tuple[float, float] | None = Field(
        None, description="wished least and greatest length, for outside:minutes and its like"
    )
    variants: tuple[str, ...] = Field((), description="names of variants; empty: all of the experiment")
    players: tuple[int, ...] = Field((), description="player counts; empty: all of the experiment")
    line_ups: tuple[str, ...] = Field((), description="line-ups; empty: all of the experiment, of a ladder its credible levels")

    @model_validator(mode="after")
    def _possible(self) -> "Line":
        """Limits that a value can meet, and a band where one is due."""
        if self.low is None and self.high is None:
            raise ValueError("it sets no limit; give low, high or both")
        if not self.least < self.most:
            raise ValueError(f"nothing lies from low = {self.low:g} up to high = {self.high:g}; low must be below high")
        if needs_band(self.measure) != (self.band is not None):
            due = "takes a band, the wished least and greatest length, such as band = [15, 30]"
            raise ValueError(f"'{self.measure}' {due if self.band is None else 'takes no band; outside:minutes does'}")
        if self.band is not None and not 0 <= self.band[0] < self.band[1]:
            raise ValueError(f"a band from {self.band[0]:g} to {self.band[1]:g} holds nothing; the least length comes first")
        return self

    @property
    def least(self) -> float:
        """The lower limit, -inf for none."""
        return -math.inf if self.low is None else self.low

    @property
    def most(self) -> float:
        """The upper limit, inf for none."""
        return math.inf if self.high is None else self.high

    def given(self) -> dict[str, Any]:
        """The fields that say something, for files."""
        return {name: value for name, value in self.model_dump().items() if value != Line.model_fields[name].default}


def what_is_wrong(problem: Mapping[str, Any]) -> str:
    """What pydantic found wrong with a line; `loc` of the problem begins with the field of the experiment and the line."""
    where = f"line {problem['loc'][1] + 1} of the certificate"
    field = str(problem["loc"][2]) if len(problem["loc"]) > 2 else ""
    if problem["type"] == "extra_forbidden":
        close = difflib.get_close_matches(field, Line.model_fields, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        return f"{where}: '{field}' is not a field of a line.{hint} Known: {', '.join(Line.model_fields)}."
    if problem["type"] == "missing":
        return f"{where}: it lacks '{field}', {Line.model_fields[field].description}."
    if problem["type"] == "value_error":
        return f"{where}: {problem['ctx']['error']}."
    if not field:
        return f"{where} must be a table with measure, low and high, not {problem['input']!r}."
    meaning = Line.model_fields[field].description
    return f"{where}: '{field}' cannot be {problem['input']!r}: {problem['msg'].lower()} ({meaning})."
