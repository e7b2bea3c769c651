"""`pinchsim variants`: the rules as data."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from pinchsim.cli.listing import listing
from pinchsim.cli.options import tell_mistakes

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console
    from rich.table import Table

    from pinchsim.games.pinch.rules import RuleSet, Variant

GAMES = 500  # of each number of players and each strategy in a check
SEED = 1
CHECKED_WITH = ("uniform", "greedy")


@click.group()
def variants() -> None:
    """List, show, check and compare the variants of the rules."""


@variants.command("list")
@tell_mistakes
def list_variants() -> None:
    """List the built-in variants and how many players each is for."""
    from pinchsim.games.pinch.rules import load_variant, player_counts, variant_names

    names, entries = variant_names(), []
    column = max(map(len, names))
    for name in names:
        variant = load_variant(name)
        counts = player_counts(variant.rules)
        players = f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else str(counts[0])
        entries.append((f"{name:<{column}} {players:<3}", variant.description))
    for line in listing(entries):
        click.echo(line)


@variants.command("show")
@click.argument("name")
@tell_mistakes
def show_variant(name: str) -> None:
    """Show every switch of a variant; changes to the base game are marked.

    NAME is a variant, the path of a variant file, or a combination such as duel+classic+market_size=8.
    """
    from pinchsim.games.pinch.rules import BASE_GAME, RuleSet, allowed_values, load_variant

    variant = load_variant(name)
    changed = variant.rules.changes_from(RuleSet())
    console = _console()
    console.print(_title(variant), markup=False)
    table = _table("", "switch", "value", "allowed", "meaning")
    for switch, value in variant.rules.switches().items():
        _add_row(table, "*" if switch in changed else "", switch, value, allowed_values(switch), _meaning(switch))
    console.print(table)
    console.print(f"* differs from {BASE_GAME}")


@variants.command("diff")
@click.argument("a")
@click.argument("b")
@tell_mistakes
def compare_variants(a: str, b: str) -> None:
    """Show the switches in which two variants differ.

    A and B are variants, paths of variant files, or combinations such as duel+classic+market_size=8.
    """
    from pinchsim.games.pinch.rules import load_variant

    one, other = load_variant(a), load_variant(b)
    names = (one.name, other.name) if one.name != other.name else (one.source, other.source)
    theirs = other.rules.changes_from(one.rules)
    console = _console()
    if not theirs:
        console.print(f"{names[0]} and {names[1]} have the same rules.", markup=False)
        return
    ours = one.rules.switches()
    table = _table("switch", *names, "meaning")
    for switch, value in theirs.items():
        _add_row(table, switch, ours[switch], value, _meaning(switch))
    console.print(table)


@variants.command("check")
@click.argument("name")
@tell_mistakes
def check_variant(name: str) -> None:
    """Check a variant: what it changes, how many can play, and whether its games end.

    NAME is the path of a variant file, a variant, or a combination such as duel+classic+market_size=8.
    """
    from pinchsim.games.pinch.rules import load_variant

    variant = load_variant(name)
    console = _console()
    console.print(_title(variant), markup=False)
    _print_changes(variant, console)
    playable = _print_player_counts(variant.rules, console)
    _print_endings(variant.rules, playable, console)


def _title(variant: "Variant") -> str:
    return f"{variant.name}: {variant.description}" if variant.description else variant.name


def _print_changes(variant: "Variant", console: "Console") -> None:
    from pinchsim.games.pinch.rules import changed_switches

    changes = changed_switches(variant)
    console.print()
    if not changes:
        what = "The base game itself." if variant.base == variant.name else f"It has the same rules as {variant.base}."
        console.print(what, markup=False)
        return
    table = _table("switch", "old", "new", "meaning")
    for switch, (old, new) in changes.items():
        _add_row(table, switch, old, new, _meaning(switch))
    console.print(f"Changes to {variant.base}:", markup=False)
    console.print(table)


def _print_player_counts(rules: "RuleSet", console: "Console") -> list[int]:
    """Say how many players can play, and why others cannot; returns the possible counts."""
    from pinchsim.games.pinch.rules import ALL_COUNTS, why_not_dealt

    reasons = {players: why_not_dealt(rules, players) for players in ALL_COUNTS}
    playable = [players for players, reason in reasons.items() if not reason]
    console.print()
    console.print(f"Players: {', '.join(map(str, playable))}")
    for reason in reasons.values():
        if reason:
            console.print(f"{reason[0].upper()}{reason[1:]}", markup=False)
    return playable


def _print_endings(rules: "RuleSet", playable: list[int], console: "Console") -> None:
    """Say how games among equals end, and warn of games that did not end by themselves."""
    import numpy as np

    from pinchsim.games.pinch.columns import END_LABELS

    table = _table("players", "all play", "turns", *END_LABELS.values())
    for column in table.columns[2:]:
        column.justify = "right"
    warnings = []
    for players, strategy, turns, reasons in _played(rules, playable):
        shares = {code: float(np.mean(reasons == code)) for code in END_LABELS}
        _add_row(table, players, strategy, f"{np.mean(turns):.1f}", *(f"{share:.1%}" for share in shares.values()))
        endless = sum(END_LABELS[int(code)] == "turn_limit" for code in reasons)
        if endless:
            warnings.append(
                f"Warning: {endless} of {GAMES} games with {players} players, all {strategy}, were stopped by the turn limit "
                f"of {rules.turn_limit} turns (R6.6)."
            )
    console.print()
    console.print(f"How {GAMES} games of each kind end (mean turns, shares of games):")
    console.print(table)
    for warning in warnings:
        console.print(warning, style="bold yellow")


def _played(rules: "RuleSet", playable: list[int]) -> Iterator[tuple[int, str, "np.ndarray", "np.ndarray"]]:
    """Play the games of a check: players, strategy, and turns and end reason of each game."""
    import numpy as np

    from pinchsim import games
    from pinchsim.strategy import kernels, library

    game = games.load("pinch")
    used = [library.find(game.name, name) for name in CHECKED_WITH]
    together = kernels.kernel_strategies(used, list(library.all_strategies(game.name).values()))
    slots = {strategy.name: slot for slot, strategy in enumerate(together)}
    if not game.is_compiled(together, [rules]):
        click.echo("Compiling the engine; this is needed once and takes 10 to 30 seconds ...", err=True)
    kernel = game.load_kernel(together, [rules])
    turns, reason = ([column.name for column in game.game_columns].index(name) for name in ("turns", "end_reason"))
    for players in playable:
        for name in CHECKED_WITH:
            rows = np.empty((len(game.game_columns), GAMES), np.int32)
            seats = np.empty((len(game.player_columns), GAMES, players), np.int32)
            indices = np.arange(GAMES, dtype=np.int64)
            game.play(kernel, rules, [slots[name]] * players, SEED, indices, game.new_memory(), rows, seats)
            yield players, name, rows[turns], rows[reason]


def _console() -> "Console":
    """Standard output; 80 columns wide when it is no terminal."""
    from rich.console import Console

    return Console(width=None if Console().is_terminal else 80, highlight=False)


def _table(*headers: str) -> "Table":
    """A table without lines; switches and values of `show` stay on one line."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for header in headers:
        table.add_column(Text(header), no_wrap=header in ("", "switch", "value"), overflow="fold")
    return table


def _add_row(table: "Table", *cells: Any) -> None:
    from rich.text import Text

    from pinchsim.games.pinch.rules import spelled

    table.add_row(*(Text(spelled(cell)) for cell in cells))


def _meaning(switch: str) -> str:
    from pinchsim.games.pinch.rules import RuleSet

    return str(RuleSet.model_fields[switch].description)
