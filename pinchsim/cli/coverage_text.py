"""The coverage of the rules in words: tables with the rules down and the games across, then what never happened."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from pinchsim.lab.coverage import Counts

WIDTH = 80
RULE_WIDTH = 6
MIN_TEXT = 30
NARROW, WIDE = 7, 9  # columns of a variant with several player counts, or with one
RARE = 0.001


Variant = list[Counts]  # one variant with each number of players


def report(counts: Sequence[Counts], texts: Mapping[str, str], line_up: str, seed: int) -> str:
    """The whole report, never wider than 80 columns.

    Parameters
    ----------
    counts
        What was counted, by variant and number of players.
    texts
        What is counted of each rule.
    line_up, seed
        Of all games.
    """
    variants = _by_variant(counts)
    parts = [_heading(counts, line_up, seed)]
    parts += ["\n".join(_table(together, texts)) for together in _packed(variants)]
    parts += ["\n".join(lines) for lines in (_not_yet(variants, texts), _never(variants, texts))]
    return "\n\n".join(parts)


def _by_variant(counts: Sequence[Counts]) -> list[Variant]:
    names = dict.fromkeys(c.variant for c in counts)
    return [sorted((c for c in counts if c.variant == name), key=lambda c: c.players) for name in names]


def _heading(counts: Sequence[Counts], line_up: str, seed: int) -> str:
    fewest, most = min(c.games for c in counts), max(c.games for c in counts)
    games = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    words = (
        f"How often each rule came into play, per game, in {games} games of each variant with each number of players; "
        f"line-up {line_up}, seed {seed}. A dash means never, a blank that the rule cannot apply."
    )
    return textwrap.fill(words, WIDTH)


def _packed(variants: Sequence[Variant]) -> list[list[Variant]]:
    """The variants, in order, in as few tables as leave room for the words.

    All variants of a table have the same player counts.
    """
    tables: list[list[Variant]] = []
    for variant in variants:
        fits = tables and _text_width([*tables[-1], variant]) >= MIN_TEXT
        if fits and [c.players for c in variant] == [c.players for c in tables[-1][0]]:
            tables[-1].append(variant)
        else:
            tables.append([variant])
    return tables


def _column_width(variant: Variant) -> int:
    return NARROW if len(variant) > 1 else WIDE


def _text_width(table: Sequence[Variant]) -> int:
    return WIDTH - RULE_WIDTH - sum((_column_width(variant) + 1) * len(variant) for variant in table)


def _table(table: list[Variant], texts: Mapping[str, str]) -> Iterator[str]:
    """A table: variants and player counts above, then a line for each rule that applies to any of them."""
    columns = [c for variant in table for c in variant]
    widths = [_column_width(variant) for variant in table for _ in variant]
    width = _text_width(table)
    yield from _names(table, RULE_WIDTH + width)
    yield _line("rule", "counted; number of players:", width, [str(c.players) for c in columns], widths)
    for rule, text in texts.items():
        if any(rule in c.applying for c in columns):
            cells = [_per_game(c.times[rule], c.games) if rule in c.applying else "" for c in columns]
            first, *more = textwrap.wrap(text, width)
            yield _line(rule, first, width, cells, widths)
            yield from (" " * RULE_WIDTH + line for line in more)


def _names(table: list[Variant], indent: int) -> Iterator[str]:
    """The variants' names above their columns, on as many lines as the longest needs."""
    widths = [(_column_width(variant) + 1) * len(variant) - 1 for variant in table]
    names = [_folded(variant[0].variant, width) for variant, width in zip(table, widths, strict=True)]
    height = max(map(len, names))
    for k in range(height):
        cells = [name[k - height + len(name)] if k >= height - len(name) else "" for name in names]
        yield " " * indent + "".join(f" {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _folded(name: str, width: int) -> list[str]:
    """A name on lines of a width, broken after plus signs and hyphens if there are any."""
    spaced = name.replace("+", "+ ").replace("-", "- ")
    lines = [""]
    for piece in (part[k : k + width] for part in spaced.split() for k in range(0, len(part), width)):
        if len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def _line(rule: str, text: str, width: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    numbers = "".join(f" {cell:>{size}}" for cell, size in zip(cells, widths, strict=True))
    return f"{rule:<{RULE_WIDTH}}{text:<{width}}{numbers}".rstrip()


def _per_game(times: int, games: int) -> str:
    """Times per game with three digits; a whole number without a fraction is exact."""
    rate = times / games
    if times == 0:
        return "-"
    if times % games == 0 or rate >= 999.5:
        return f"{rate:,.0f}"
    return f"{rate:#.3g}".rstrip(".") if rate >= RARE else f"<{RARE}"


def _not_yet(variants: list[Variant], texts: Mapping[str, str]) -> Iterator[str]:
    """The rules that could have come into play, and never did."""
    found = {
        variant[0].variant: [
            f"{rule} ({text})"
            for rule, text in texts.items()
            if any(rule in c.applying for c in variant) and not any(c.times[rule] for c in variant)
        ]
        for variant in variants
    }
    yield "Never came into play, but could have, in more games or with other strategies:"
    yield from _listed(found)


def _never(variants: list[Variant], texts: Mapping[str, str]) -> Iterator[str]:
    """The rules that cannot apply to any game of a variant."""
    found = {v[0].variant: _ranges([not any(rule in c.applying for c in v) for rule in texts], list(texts)) for v in variants}
    yield "Never came into play, because the rule cannot apply there:"
    yield from _listed(found)


def _listed(found: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A paragraph for all variants of which the same is to be said."""
    for rules in dict.fromkeys(map(tuple, found.values())):
        names = ", ".join(name for name, theirs in found.items() if tuple(theirs) == rules)
        yield textwrap.fill(f"- {names}: {', '.join(rules) or 'none'}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _ranges(chosen: Sequence[bool], rules: Sequence[str]) -> list[str]:
    """The chosen rules in order, neighbours of one chapter as a range: R8.1-R8.8."""
    runs = groupby(zip(chosen, rules, strict=True), key=lambda pair: (pair[0], pair[1].split(".")[0]))
    found = [[rule for _, rule in run] for (wanted, _), run in runs if wanted]
    return [word for run in found for word in (run if len(run) < 3 else [f"{run[0]}-{run[-1]}"])]
