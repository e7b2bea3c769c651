"""The Python face of the laboratory; the command line uses these same functions."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pinchsim import games as all_games
from pinchsim.lab.audit import Audit
from pinchsim.lab.audit import audit_rules as play_audit
from pinchsim.lab.certify import BADGE, CERTIFICATE, Certificate
from pinchsim.lab.certify import certify as judge_lines
from pinchsim.lab.compare import Comparison
from pinchsim.lab.compare import compare as compare_runs
from pinchsim.lab.coverage import Coverage
from pinchsim.lab.coverage import audit_coverage as count_rules
from pinchsim.lab.coverage import make_plan as plan_coverage
from pinchsim.lab.executor import chosen
from pinchsim.lab.experiment import cells, make_experiment, read_experiment
from pinchsim.lab.exploiting.exploit import Exploited, ExploitWatcher
from pinchsim.lab.exploiting.exploit import exploit as run_exploit
from pinchsim.lab.exploiting.plan import make_plan as plan_exploit
from pinchsim.lab.folder import write_text
from pinchsim.lab.luck import Luck, play_luck
from pinchsim.lab.luck import make_plan as plan_luck
from pinchsim.lab.price import Prices, confirm_prices
from pinchsim.lab.price import make_plan as plan_price
from pinchsim.lab.resume import resume_run
from pinchsim.lab.run import Run, default_folder, load, run_experiment
from pinchsim.lab.settings import usual_players
from pinchsim.lab.skill import PARTS, Skill, Stage, play_skill
from pinchsim.lab.skill import plan as plan_skill
from pinchsim.lab.tournament import Tournament, plan, play_tournament
from pinchsim.lab.tuning.plan import make_plan
from pinchsim.lab.tuning.tune import Tuned, TuneWatcher
from pinchsim.lab.tuning.tune import tune as run_tuning
from pinchsim.lab.watcher import Watcher

Joinable = str | Path | Run | Tournament | Skill | Exploited | Audit | Coverage | Luck | Prices

__all__ = [
    "Audit",
    "Certificate",
    "Comparison",
    "Coverage",
    "Exploited",
    "Luck",
    "Prices",
    "Run",
    "Skill",
    "Tournament",
    "Tuned",
    "audit_coverage",
    "audit_rules",
    "certify",
    "compare",
    "exploit",
    "load",
    "luck",
    "price",
    "skill",
    "sweep",
    "tournament",
    "trace",
    "trace_lines",
    "tune",
    "write_report",
]


def sweep(
    experiment: str | Path | None = None,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Run:
    """Play an experiment and summarise it.

    Parameters
    ----------
    experiment
        Path of an experiment file; without it, `fields` alone say what to play.
    out
        Folder for the run; by default a new one under `results/`.
    jobs
        Threads; by default one per processor core.
    cluster
        Instead of threads: a cluster of dask.distributed, by the address of its scheduler, or "local:N" for N processes of
        this machine.
    strategies
        Folders that are searched for strategies first.
    watcher
        Hears of the progress.
    **fields
        Fields of an experiment (`variants`, `players`, `line_ups`, `ladder`, `session`, `games`, `seed`, `base`,
        `margin`, `precision`, `measure`, `rows`, `controls`); they replace those of the file. `ladder=True` plays every level
        of the game's strength ladder instead of line-ups, and `run.ladder` says whether a verdict holds at every level.

    Returns
    -------
    Run
        `run.summary` holds the estimates, `run.games` and `run.players` the rows (polars frames). With `rows="none"` there are
        `run.counts` and `run.measures` instead of rows.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> run = pinchsim.sweep(variants=["classic"], players=[3], line_ups=["greedy"], games=30, out=tempfile.mkdtemp())
    >>> run.games.height
    60
    """
    if experiment is None:
        resolved, stem = make_experiment(fields, "The experiment"), "sweep"
    else:
        resolved, stem = read_experiment(Path(experiment), fields), Path(experiment).stem
    folder, _, folders = _resolved(out, jobs, strategies)
    with chosen(jobs, cluster) as executor:
        return run_experiment(resolved, folder or default_folder(resolved, stem, folders), executor, folders, watcher)


def resume(
    run: str | Path,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    check: bool = False,
) -> Run:
    """Go on with a sweep that was interrupted, by its folder alone.

    Variants and strategies are looked for as from the folder in which it was begun, which is the process's working folder
    meanwhile.

    Parameters
    ----------
    run
        Folder of the run.
    jobs, cluster, watcher
        As for `sweep`.
    strategies
        Folders that are searched for strategies first; by default those that the run was begun with.
    check
        Look at all bytes of rows that are there; chunks that are damaged are played again. Otherwise sizes, times and the
        reduced results are checked.

    Raises
    ------
    UsageError
        The folder holds no run, or what it was begun with is missing or has changed.
    RunError
        The run failed, or another process is at work in the folder.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> run = pinchsim.sweep(variants=["classic"], players=[3], line_ups=["greedy"], games=30, out=tempfile.mkdtemp())
    >>> pinchsim.resume(run.folder, check=True).complete
    True
    """
    _, _, folders = _resolved(None, jobs, strategies)
    with chosen(jobs, cluster) as executor:
        return resume_run(Path(run), executor, folders, watcher, check)


def certify(
    experiment: str | Path,
    *,
    out: str | Path | None = None,
    to: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Certificate:
    """Judge the lines that an experiment drew beforehand, and write the certificate (METHODS M7.1).

    Parameters
    ----------
    experiment
        Path of an experiment file.
    out
        Folder of the run, which is gone on with if it is there; by default one under `results/`.
    to
        Folder of `certificate.json` and `certificate.svg`; by default that of the run.
    jobs, strategies, watcher
        As for `sweep`.
    **fields
        Fields of an experiment; they replace those of the file.

    Returns
    -------
    Certificate
        `found.verdict` is "passes", "fails" or "undecided", `found.told()` all that was found, as the file has it. Of an
        interrupted run nothing is judged or written: `found.run.complete` is False.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    from pinchsim.report.certificate_badge import badge
    from pinchsim.report.certificate_table import heading

    resolved = read_experiment(Path(experiment), fields)
    folder, _, folders = _resolved(out, jobs, strategies)
    folder = folder or default_folder(resolved, Path(experiment).stem, folders)
    where = Path(to) if to is not None else folder
    with chosen(jobs, cluster) as executor:
        found = judge_lines(resolved, folder, where, executor, folders, watcher)
    if found.run.complete:
        told = found.told()
        where.mkdir(parents=True, exist_ok=True)
        write_text(where / CERTIFICATE, found.text())
        write_text(where / BADGE, badge(found.verdict, f"{told['question']} The balance {heading(told)}."))
    return found


def compare(a: Run | str | Path, b: Run | str | Path) -> Comparison:
    """Set two runs, or their folders, side by side (METHODS M1.7).

    Returns
    -------
    Comparison
        `found.table` holds the estimate of each and the difference b - a for every measure that both have; `found.paired` says
        whether differences are paired by deck.

    Raises
    ------
    UsageError
        A folder holds no run, or the runs have nothing in common.
    """
    return compare_runs(*(run if isinstance(run, Run) else load(run) for run in (a, b)))


def audit_rules(
    variant: str = "pinch",
    *,
    pairs: bool = False,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Audit:
    """Play every contested reading of a variant's rules beside the ruling, on common decks (METHODS M6.2).

    Parameters
    ----------
    variant
        The variant; its rules are what the readings are compared with.
    pairs
        Whether to flip each two of them together, too.
    out, jobs, cluster, strategies, watcher
        As for `sweep`.
    **fields
        `players`, `line_ups`, `games`, `seed` and `margin` of an experiment.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder, _, folders = _resolved(out, jobs, strategies)
    with chosen(jobs, cluster) as executor:
        return play_audit(variant, pairs, fields, folder, executor, folders, watcher)


def audit_coverage(
    *variants: str,
    out: str | Path | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Coverage:
    """Count how often each numbered rule comes into play (METHODS M6.1).

    Parameters
    ----------
    *variants
        The variants; "all", or none, is every one.
    out, strategies, watcher
        As for `sweep`.
    **fields
        `players`, `line_ups` (one; by default uniform), `games` (of each variant with each number of players, by default 2000)
        and `seed` of an experiment.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> found = pinchsim.audit_coverage("classic", players=[3], games=6, out=tempfile.mkdtemp())
    >>> found.table.filter(rule="R1.2")["per_game"].to_list()
    [108.0]
    """
    folder, _, folders = _resolved(out, None, strategies)
    return count_rules(plan_coverage(variants or ("all",), fields, folders), folder, folders, watcher)


def tournament(
    *names: str,
    variant: str = "pinch",
    players: int | None = None,
    tables: str | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **fields: Any,
) -> Tournament:
    """Let strategies play against each other at tables of every mixture, on common decks (METHODS M5.3).

    Parameters
    ----------
    *names
        Two strategies or more.
    variant
        The variant.
    players
        Players at a table; by default four, in a duel two.
    tables
        "all" mixtures of strategies in every order around the table, or "pairs", one of each strategy among players of each
        other; by default all, unless these are more than 400 orders.
    out, jobs, cluster, strategies, watcher
        As for `sweep`.
    **fields
        `games` (for each order, by default 4000) and `seed` of an experiment.

    Returns
    -------
    Tournament
        `found.shares` holds the win shares at all tables, `found.analysis` ratings, dominance and equilibrium; both are
        None if the run was interrupted before every table had games.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> found = pinchsim.tournament("greedy", "uniform", variant="duel", games=40, out=tempfile.mkdtemp())
    >>> found.analysis.names
    ['greedy', 'uniform']
    """
    folder, _, folders = _resolved(out, jobs, strategies)
    planned = plan(names, variant, players, tables, fields, folders)
    with chosen(jobs, cluster) as executor:
        return play_tournament(planned, folder, executor, folders, watcher)


def skill(
    variant: str = "pinch",
    *,
    players: int | None = None,
    parts: Sequence[str] = PARTS,
    chess_elo: float | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watch: Callable[[Stage], AbstractContextManager[Watcher]] | None = None,
    **fields: Any,
) -> Skill:
    """How much skill a game rewards, and what it is like for beginners (METHODS M5.1, M5.2).

    Parameters
    ----------
    variant, players
        Where; by default four players, in a duel two.
    parts
        "ladder": ratings of the game's strength ladder; "trace": what each doubling of strength is worth; "noise": what
        softmax noise and a short memory cost, and what they do to the balance.
    chess_elo
        Standard deviation of the Elo ratings of chess players, for "x %-chess"; without it that number is left out.
    out, jobs, cluster, strategies
        As for `sweep`.
    watch
        Gives each run of the report (by its `Stage`) a watcher, as a context.
    **fields
        `games` for each table (by default 20,000), `slow_games` for those with a slow player (80; 0 leaves them out), `seed`.

    Returns
    -------
    Skill
        `found.levels`, `found.traces` and `found.noise`; what was interrupted is None or missing.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder, _, folders = _resolved(out, jobs, strategies)
    planned = plan_skill(variant, players, parts, fields, folders)
    with chosen(jobs, cluster) as executor:
        return play_skill(planned, folder, executor, folders, chess_elo, watch)


def luck(
    variant: str = "pinch",
    *,
    players: int | None = None,
    line_ups: Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
    **numbers: Any,
) -> Luck:
    """How much of who wins is luck, and of what kind (METHODS M4).

    Parameters
    ----------
    variant, players
        Where; by default four players, in a duel two.
    line_ups
        Who plays; by default weak, strong, noisy and mixed tables.
    out, jobs, strategies, watcher
        As for `sweep`.
    **numbers
        `roots`, games that others branch off from (by default 20,000); `decks` (400), each played `replays` (50) times; `seed`.

    Returns
    -------
    Luck
        `found.found` holds luck budgets and effects of decks, `found.rates` the rate of each deck (polars frames).

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder, threads, folders = _resolved(out, jobs, strategies)
    return play_luck(plan_luck(variant, players, line_ups, folders, numbers), folder, threads, folders, watcher)


def price(
    run: Run | str | Path,
    *,
    games: int | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: Watcher | None = None,
) -> Prices:
    """Play a sweep of single games again with the bonus that should make its start fair (METHODS M3.2).

    The best whole points for each position are found by scoring the finished games again, and confirmed by fresh ones.

    Parameters
    ----------
    run
        A finished sweep of single games, or its folder; of a ladder the credible levels are played again.
    games
        Games of each cell; by default as many as the sweep has.
    seed
        Another one than the sweep's; by default the next.
    out, jobs, cluster, strategies, watcher
        As for `sweep`.

    Returns
    -------
    Prices
        `found.found` has a row for each cell: the bonus, the start player's advantage before and after it, which position's win
        share is furthest from a fair one and by how much, and the verdict (a polars frame).

    Raises
    ------
    UsageError
        The run cannot be played again, or what was asked for is wrong.
    RunError
        A strategy broke the rules.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> run = pinchsim.sweep(variants=["duel"], line_ups=["greedy"], games=200, out=tempfile.mkdtemp())
    >>> pinchsim.price(run, out=tempfile.mkdtemp()).found["verdict"].to_list()
    ['undecided']
    """
    folder, _, folders = _resolved(out, jobs, strategies)
    planned = plan_price(run if isinstance(run, Run) else load(run), games, seed, folders)
    with chosen(jobs, cluster) as executor:
        return confirm_prices(planned, folder, executor, watcher)


def tune(
    name: str,
    *,
    form: str = "large",
    variant: str = "pinch",
    players: Sequence[int] = (),
    start: str | None = None,
    out: str | Path | None = None,
    folder: str | Path | None = None,
    jobs: int | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: TuneWatcher | None = None,
    **numbers: Any,
) -> Tuned:
    """Improve the weights of a strategy by self-play, and confirm the result on fresh decks.

    Parameters
    ----------
    name
        The strategy; its file is written if the result is stronger than the start.
    form
        "large", a table of all weights by natural policy gradient, or "small", a dozen named weights by CMA-ES.
    variant, players
        The variant, and how many players: one after the other if there are several; by default four, in a duel two.
    start
        Strategy to begin with; by default the strategy itself, or `dozen` if there is none.
    folder
        Folder of the strategy's file; by default `strategies/pinch`.
    out, jobs, strategies, watcher
        As for `sweep`.
    **numbers
        `iterations` (by default 30), `games` of each (12,000) and `seed` (1).

    Returns
    -------
    Tuned
        `found.results` holds histories and confirmations (polars frames) by number of players; `found.written` says whether the
        file has the new weights.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    run_folder, threads, folders = _resolved(out, jobs, strategies)
    where = Path(folder) if folder is not None else None
    planned = make_plan(name, form, variant, players, start, where, folders, numbers)
    return run_tuning(planned, run_folder, threads, watcher)


def exploit(
    target: str,
    *,
    variant: str = "pinch",
    players: int | None = None,
    attackers: Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    strategies: tuple[str | Path, ...] = (),
    watcher: ExploitWatcher | None = None,
    **numbers: Any,
) -> Exploited:
    """Search for what beats a table of one strategy, and confirm it on fresh decks (METHODS M5.5).

    Parameters
    ----------
    target
        The strategy that everybody else at the table plays.
    variant, players
        The variant, and how many players; by default four, in a duel two.
    attackers
        Any of "small" (a dozen named weights by CMA-ES), "same" (all weights by natural policy gradient), "search" (playouts)
        and "library" (every strategy there is); by default all of them.
    out, jobs, strategies, watcher
        As for `sweep`.
    **numbers
        `iterations` (by default 20), `games` of each (12,000), `playouts` (200) and `decks` (150) of the search player, and
        `seed` (1).

    Returns
    -------
    Exploited
        `found.result` holds the edges, with intervals and effort, and what each attacker does differently (polars frames);
        `found.folder / "strategies"` the strategy files that were found.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    RunError
        A strategy broke the rules.
    """
    folder, threads, folders = _resolved(out, jobs, strategies)
    planned = plan_exploit(target, variant, players, attackers, folders, numbers)
    return run_exploit(planned, folder, threads, watcher)


def write_report(
    run: Joinable,
    *others: Joinable,
    out: str | Path | None = None,
    minutes: tuple[float, float] | None = None,
    strategies: tuple[str | Path, ...] = (),
) -> Path:
    """Write the balance report of a run: `report.html`, one page without references to the net, and `report.md`.

    Parameters
    ----------
    run, *others
        A sweep of single games, the main run, and in any order what other commands found about the game: sweeps of sessions,
        tournaments, skill reports, runs about luck, searches for what beats a strategy, audits of the rules, counts of the
        rules, confirmed prices. Each as it was returned, or by its folder. For lack of single games a sweep of sessions is the
        main run.
    out
        Folder for the report; by default that of the main run.
    minutes
        Least and greatest length in minutes that is wished for; without it the length is told, but not judged.
    strategies
        Folders that are searched for strategies first, for looking at games again.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    UsageError
        A folder holds nothing that can be joined, there is no main run or there are two, or the wished length is no range.

    Examples
    --------
    >>> import pinchsim, tempfile
    >>> run = pinchsim.sweep(variants=["classic"], players=[3], line_ups=["greedy"], games=30, out=tempfile.mkdtemp())
    >>> rules = pinchsim.audit_coverage("classic", players=[3], games=30, out=tempfile.mkdtemp())
    >>> pinchsim.write_report(run, rules).name
    'report.html'
    """
    from pinchsim.beside import sorted_out
    from pinchsim.material import material_of
    from pinchsim.report.page import make_pages, write_pages

    joined = sorted_out([_folder_of(one) for one in (run, *others)])
    main = load(joined.main.folder)
    folder = Path(out) if out is not None else main.folder
    return write_pages(make_pages(material_of(main, folder, minutes, joined.others, tuple(map(Path, strategies)))), folder)[0]


def _folder_of(found: Joinable) -> Path:
    """The folder of what a command found."""
    if isinstance(found, str | Path):
        return Path(found)
    return found.run.folder if isinstance(found, Audit | Tournament) else found.folder


def trace(
    variant: str = "pinch",
    players: int | None = None,
    line_up: str = "default",
    seed: int = 1,
    game: int = 0,
    games: int = 1,
    strategy_folders: tuple[Path, ...] = (),
) -> Iterator[list[dict[str, Any]]]:
    """Records of single games of a sweep: the same variant, players, line-up, seed and index are the same game.

    Four players sit down unless told otherwise, in a duel two.

    Raises
    ------
    UsageError
        What was asked for is wrong.
    """
    from pinchsim.games.pinch.record import record_game

    if players is None:
        pinch = all_games.load("pinch")
        players = usual_players(pinch, pinch.load_variant(variant).rules)
    fields = {"variants": [variant], "base": None, "players": [players], "line_ups": [line_up], "seed": seed}
    cell = cells(make_experiment(fields, "The game"), strategy_folders)[0]
    for index in range(game, game + games):
        yield record_game(cell.variant.name, cell.variant.rules, cell.strategies, seed, index)


def trace_lines(record: list[dict[str, Any]]) -> str:
    """A record as JSON Lines."""
    from pinchsim.games.pinch.record import to_lines

    return to_lines(record)


def _resolved(
    out: str | Path | None, jobs: int | None, strategies: Sequence[str | Path]
) -> tuple[Path | None, int, tuple[Path, ...]]:
    """Folder of the results if one is named, number of threads, and folders of strategies."""
    return Path(out) if out is not None else None, jobs or os.cpu_count() or 1, tuple(map(Path, strategies))
