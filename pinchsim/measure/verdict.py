"""The three verdicts on an effect against a margin that was fixed before the run (METHODS M2.3)."""

WITHIN = "within margin"
OUTSIDE = "outside margin"
UNDECIDED = "undecided"


def verdict(low: float, high: float, margin: float) -> str:
    """Judge an interval for an effect, whose fair value is 0, against the margin from -margin to +margin.

    "Not significant" is never "balanced": only an interval that lies in the margin as a whole is within it.

    Parameters
    ----------
    low, high
        Ends of the interval, in the margin's unit. A missing end (NaN or None) leaves the case undecided.
    margin
        Largest effect that is still acceptable, 0 or more.

    Returns
    -------
    str
        "within margin", "outside margin" (the whole interval beyond it, on one side) or "undecided".

    Examples
    --------
    >>> verdict(-0.002, 0.004, margin=0.01)
    'within margin'
    >>> verdict(0.012, 0.018, margin=0.01)
    'outside margin'
    >>> verdict(-0.02, 0.03, margin=0.01)
    'undecided'
    """
    if low is None or high is None:
        return UNDECIDED
    if -margin <= low and high <= margin:
        return WITHIN
    if low > margin or high < -margin:
        return OUTSIDE
    return UNDECIDED
