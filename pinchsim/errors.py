"""The two kinds of mistakes that are told to people without a traceback."""


class UsageError(Exception):
    """Something that was asked for is wrong: says what, what was expected and how to put it right (exit code 2)."""


class RunError(Exception):
    """Work that was begun has failed: says what happened and what is left (exit code 1)."""
