"""The command line: what each command says and writes, exit codes, and never a traceback for a mistake."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import polars as pl
import pytest

from pinchsim import games
from pinchsim.cli.main import COMMANDS, main
from pinchsim.errors import RunError
from pinchsim.games.pinch.rules import RuleSet, load_variant, variant_names
from pinchsim.games.pinch.state import VIEW_DOCS
from pinchsim.games.seam import IllegalAnswer
from pinchsim.lab import chunks
from pinchsim.lab.rows import column_table
from pinchsim.strategy import check as checking
from pinchsim.strategy import library
from tests.cli.commands import Command, end_otherwise, entries, flat, folder_of, write

PINCHSIM = Command(width=None)
run, done, refused = PINCHSIM.run, PINCHSIM.done, PINCHSIM.refused
in_80_columns = Command().done
SMALL = ("--players", "3", "--line-up", "uniform", "--games", "30", "--jobs", "1")
SWEEP = ("sweep", *SMALL, "--no-plots")
TRACE = ("trace", "--players", "3", "--line-up", "uniform")
PLAY = "def play(view):\n    return 1\n"


# Help, and what is loaded


def all_commands(command=main, words=()):
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from all_commands(command.get_command(context, name), (*words, name))


@pytest.mark.parametrize("words", [words for words, _ in all_commands()], ids=" ".join)
def test_help__of_every_command(words):
    text = in_80_columns(*words, "--help")
    assert text.startswith("Usage: ")
    assert "--help" in text


@pytest.mark.parametrize(("words", "command"), list(all_commands()), ids=lambda x: " ".join(x) if isinstance(x, tuple) else "")
def test_help__every_command_and_option_is_explained(words, command):
    assert command.help
    assert [p.name for p in command.params if isinstance(p, click.Option) and not p.help] == []


def test_help__lists_every_command():
    text = done("--help")
    assert all(name in text and meaning in text for name, meaning in COMMANDS.items())
    assert {words[0] for words, _ in all_commands() if words} == set(COMMANDS)


def test_version__is_that_of_the_package():
    from importlib.metadata import version

    assert done("--version").split() == ["pinchsim,", "version", version("pinchsim")]


@pytest.mark.parametrize("what", ["import", "help"])
def test_main__loads_nothing_heavy(what):
    """Help must be quick: nothing is loaded before a command works."""
    heavy = ("numba", "polars", "matplotlib", "pydantic", "numpy", "scipy", "rich")
    code = "import sys\nfrom pinchsim.cli.main import main\nfrom click.testing import CliRunner\n"
    if what == "help":
        for name in ("", *COMMANDS):
            code += f"assert CliRunner().invoke(main, {[*name.split(), '--help']}).exit_code == 0\n"
    code += f"print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


def test_pinchsim__is_a_command_with_exit_codes():
    """The installed command itself, and its whole output for a mistake."""
    command = Path(sys.executable).with_name("pinchsim")
    found = subprocess.run([command, "variants", "show", "aces-bit"], capture_output=True, text=True, env=os.environ)
    assert found.returncode == 2
    assert found.stdout == ""
    assert "Error: 'aces-bit' is not a variant. Did you mean 'aces-bite'?" in found.stderr
    assert "Traceback" not in found.stderr


# Mistakes


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["swep"], ["No such command 'swep'"]),
        (["sweep", "--varient", "classic"], ["No such option", "--variant"]),
        ([*SWEEP, "--variant", "aces-bit"], ["'aces-bit' is not a variant", "Did you mean 'aces-bite'?"]),
        ([*SWEEP, "--variant", "none.toml"], ["'none.toml' does not exist"]),
        ([*SWEEP, "--base", "clasic"], ["'clasic' is not a variant", "'classic'"]),
        ([*SWEEP, "--line-up", "unifrom"], ["'unifrom' is not a strategy", "Did you mean 'uniform'?"]),
        ([*SWEEP, "--line-up", "uniform,uniform,uniform,uniform"], ["names 4 strategies, but only 3 players"]),
        ([*SWEEP, "--players", "four"], ["--players 'four'", "such as 4, 3-5 or 3,5"]),
        ([*SWEEP, "--players", "5-3"], ["--players '5-3'"]),
        ([*SWEEP, "--players", ""], ["--players ''"]),
        ([*SWEEP, "--players", "2"], ["2 players cannot play; allowed are 3, 4, 5"]),
        ([*SWEEP, "--players", "3-7"], ["6 players cannot play"]),
        ([*SWEEP, "--games", "0"], ["'games' cannot be 0", "games a cell"]),
        ([*SWEEP, "--games", "many"], ["'--games'", "'many'"]),
        ([*SWEEP, "--seed", "-1"], ["'seed' cannot be -1"]),
        ([*SWEEP, "--margin", "2"], ["'margin' cannot be 2"]),
        ([*SWEEP, "--jobs", "0"], ["'--jobs'", "0"]),
        ([*SWEEP, "none.toml"], ["There is no experiment file 'none.toml'"]),
        ([*SWEEP, "--strategies", "nowhere"], ["'nowhere' does not exist"]),
        (["trace", "--variant", "pinchh"], ["'pinchh' is not a variant", "'pinch'"]),
        (["trace", "--players", "2"], ["2 players cannot play"]),
        (["trace", "--line-up", "nobody"], ["'nobody' is not a strategy"]),
        (["trace", "--game", "-1"], ["'--game'", "-1"]),
        (["trace", "--games", "0"], ["'--games'", "0"]),
        (["trace", "--seed", str(2**63)], ["seed", str(2**63)]),
        ([*TRACE, "--game", str(2**63)], ["game"]),
        ([*TRACE, "--game", str(2**70)], ["game"]),
        (["watch", "--variant", "pinchh"], ["'pinchh' is not a variant"]),
        (["replay", "none.jsonl"], ["'none.jsonl' does not exist"]),
        (["variants", "show", "aces-bit"], ["'aces-bit' is not a variant", "'aces-bite'"]),
        (["variants", "show"], ["Missing argument 'NAME'"]),
        (["strategies", "check", "gredy"], ["'gredy' is not a strategy", "'greedy'"]),
        (["strategies", "new", "my-first"], ["'my-first' cannot name a strategy"]),
        (["strategies", "lst"], ["No such command 'lst'"]),
    ],
    ids=lambda x: " ".join(x) if x and x[0] in (*COMMANDS, "swep") else "",
)
def test_mistake__exits_with_2_and_says_what_was_expected(args, words):
    message = refused(*args)
    assert [word for word in words if word not in message] == []
    assert not Path("results").exists(), "nothing is begun"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("games = \n", ["question.toml: not a valid TOML file"]),
        ("variant = ['classic']\n", ["question.toml: 'variant' is not a field", "variants"]),
        ("players = 4\n", ["question.toml: 'players' cannot be 4", "player counts"]),
        ("variants = ['clasic']\n", ["'clasic' is not a variant"]),
    ],
)
def test_sweep__mistake_in_an_experiment_file(text, words):
    message = refused("sweep", write("question.toml", text), "--no-plots")
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("market_size = 77\n", ["switch 'market_size' cannot be 77", "from 1 to 16"]),
        ("marketsize = 7\n", ["'marketsize' is not a switch", "'market_size'"]),
        ("hand_size = 30\n", ["Variant 'mine': with 4 players", "126 cards", "gives only 108"]),
        ("market_size = \n", ["not a valid TOML file"]),
    ],
)
def test_sweep__mistake_in_a_variant_file(text, words):
    message = refused("sweep", "--variant", write("mine.toml", text), "--no-plots")
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def play(view)\n    return 1\n", ["mine.py, line 1: not valid Python"]),
        ("def play(view):\n    return view.hnd\n", ["mine.py, line 2: the view has no field 'hnd'", "'hand'"]),
        ("import random\n\n\n" + PLAY, ["mine.py, line 1:", "'random'"]),
        ("def pla(view):\n    return 1\n", ["mine.py: a strategy must define 'play(view)'"]),
        ("X = 1 / 0\n", ["mine.py, line 1: ZeroDivisionError"]),
    ],
    ids=["not Python", "unknown field", "import", "no play", "fails when read"],
)
@pytest.mark.parametrize("command", ["sweep", "trace", "check"])
def test_mistake_in_a_strategy__exits_with_2(command, text, words):
    write("strategies/pinch/mine.py", text)
    args = {
        "sweep": ["sweep", "--players", "3", "--games", "3", "--no-plots", "--line-up", "mine"],
        "trace": ["trace", "--players", "3", "--line-up", "mine"],
        "check": ["strategies", "check", "mine"],
    }[command]
    result = run(*args)
    assert result.exit_code == 2, result.output
    message = flat(result.stderr)
    assert [word for word in words if word not in message] == []


# Sweep


def test_sweep__prints_summary_and_folder_and_goes_on_with_it():
    first = run(*SWEEP, "--variant", "classic", "--seed", "3")
    assert first.exit_code == 0, first.output
    folder = folder_of(first.stdout)
    assert folder.parent == Path("results")
    assert (folder / "manifest.json").is_file()
    assert not (folder / "plots").exists()
    assert "classic" in first.stdout
    assert "pinch" in first.stdout
    assert "found finished" not in first.stderr
    rows = {path: path.stat().st_mtime_ns for path in folder.glob("*/*/*.parquet")}
    assert len(rows) == 4
    second = run(*SWEEP, "--variant", "classic", "--seed", "3")
    assert second.stdout == first.stdout
    assert "60 games" in second.stderr
    assert "60 of them found finished" in second.stderr
    assert {path: path.stat().st_mtime_ns for path in folder.glob("*/*/*.parquet")} == rows, "nothing was played again"


def test_sweep__numbers_go_to_stdout_and_progress_to_stderr():
    result = run(*SWEEP)
    assert "Playing 30 games" in result.stderr
    assert "games/s" in result.stderr
    assert "Playing" not in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[:-1])


def test_sweep__other_experiments_have_other_folders():
    folders = {folder_of(done(*SWEEP, *more)) for more in ([], ["--seed", "2"], ["--variant", "classic"], ["--base", "none"])}
    assert len(folders) == 4


def test_sweep__of_an_experiment_file():
    path = write(
        "question.toml",
        'question = "Is it fair?"\nvariants = ["classic"]\nplayers = [3]\nline_ups = ["uniform"]\ngames = 30\nseed = 9\n',
    )
    folder = folder_of(done("sweep", path, "--no-plots"))
    assert folder.name.startswith("question-")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert [cell[0] for cell in manifest["cells"]] == ["pinch", "classic"]
    assert manifest["experiment"]["seed"] == 9
    assert manifest["state"] == "complete"
    assert "Is it fair?" in (folder / "experiment.toml").read_text(encoding="utf-8")
    again = done("sweep", folder / "experiment.toml", "--no-plots", "--out", "again")
    assert folder_of(again) == Path("again")
    assert pl.read_parquet("again/estimates.parquet").equals(pl.read_parquet(folder / "estimates.parquet"))


def test_sweep__options_replace_what_the_file_says():
    path = write("question.toml", 'variants = ["classic"]\nplayers = [3, 4, 5]\nline_ups = ["greedy"]\ngames = 9999\n')
    done("sweep", path, *SMALL, "--no-plots", "--base", "none", "--out", "run")
    manifest = json.loads(Path("run/manifest.json").read_text(encoding="utf-8"))
    assert manifest["cells"] == [["classic", 3, "uniform"]]


def test_sweep__variant_file_as_the_base():
    """Every other variant is compared with it, on the same decks."""
    base = write("mine.toml", "market_size = 7\n")
    done(*SWEEP, "--variant", "pinch", "--base", base, "--out", "run")
    differences = pl.read_parquet("run/differences.parquet")
    assert differences["variant"].unique().to_list() == ["pinch"]
    assert differences["base"].unique().to_list() == ["mine"]


def test_sweep__plots_only_if_wanted(monkeypatch):
    wrote = []
    monkeypatch.setattr("pinchsim.report.plots.write_plots", lambda summary, folder: wrote.append(folder))
    assert "Rows and summary: run" in done(*SWEEP, "--out", "run")
    assert wrote == []
    assert "Rows, summary and plots: run" in done("sweep", *SMALL, "--out", "run")
    assert wrote == [Path("run/plots")]


def test_sweep__folder_of_another_run():
    done(*SWEEP, "--out", "run")
    message = refused(*SWEEP, "--seed", "2", "--out", "run")
    assert "The folder 'run' holds another run; it differs in: seed." in message


def test_sweep__folder_of_something_else():
    write("photos/me.jpg", "")
    assert "'photos' is not empty and holds no run" in refused(*SWEEP, "--out", "photos")
    assert [path.name for path in Path("photos").iterdir()] == ["me.jpg"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "pinchsim-run/1"}'])
def test_sweep__folder_with_a_broken_manifest(text):
    write("run/manifest.json", text)
    result = run(*SWEEP, "--out", "run")
    assert result.exit_code in (1, 2)
    assert "run" in result.stderr.split("Error: ")[1]


def test_sweep__folder_that_cannot_be_made():
    write("file", "in the way")
    result = run(*SWEEP, "--out", "file/run")
    assert result.exit_code == 1
    assert "file" in result.stderr.split("Error: ")[1]


def test_sweep__interrupted_says_so_and_exits_with_130(monkeypatch):
    def cut(found):
        found.manifest["state"] = "interrupted"
        found.summary = dataclasses.replace(found.summary, complete=False)

    end_otherwise("sweep", cut, monkeypatch)
    result = run(*SWEEP, "--out", "run")
    assert result.exit_code == 130
    assert "Interrupted: what is shown covers the finished games only" in result.stderr
    assert "run" in result.stdout.splitlines()[-1]


def test_sweep__broken_rule_exits_with_1_and_names_the_game(monkeypatch):
    """What it says to look at must be the same game, so the seed belongs to it."""

    def illegal(*args):
        raise IllegalAnswer(17, "it took what is not there")

    monkeypatch.setattr(chunks.Player, "play", illegal)
    result = run(*SWEEP, "--variant", "classic", "--base", "none", "--seed", "5")
    assert result.exit_code == 1
    message = flat(result.stderr.split("Error: ")[1])
    assert "it took what is not there" in message
    assert "--variant classic --players 3 --line-up uniform" in message
    assert "--game 17" in message
    assert "--seed 5" in message


# Single games


@pytest.fixture(scope="module")
def record():
    """Lines of one game's record."""
    return done(*TRACE, "--seed", "4", "--game", "5").splitlines()


def test_trace__is_json_lines(record):
    events = [json.loads(line) for line in record]
    assert [events[0]["type"], events[-1]["type"]] == ["game", "end"]
    header = events[0]
    assert (header["variant"], header["players"], header["seed"], header["game"]) == ("pinch", 3, 4, 5)
    assert header["strategies"] == ["uniform"] * 3
    assert sum(event["type"] == "play" for event in events) == events[-1]["turns"]


def test_trace__to_a_file_and_several_games(record):
    done(*TRACE, "--seed", "4", "--game", "4", "--games", "3", "--out", "games.jsonl")
    lines = Path("games.jsonl").read_text(encoding="utf-8").splitlines()
    heads = [json.loads(line)["game"] for line in lines if json.loads(line)["type"] == "game"]
    assert heads == [4, 5, 6]
    first = lines.index(record[0])
    assert lines[first : first + len(record)] == record
    told = done("replay", "games.jsonl").splitlines()
    assert [line.split(" is sound")[0] for line in told] == [f"Game {k} of seed 4" for k in (4, 5, 6)]


def test_trace__to_a_folder_that_is_not_there():
    assert "nowhere" in refused(*TRACE, "--out", "nowhere/game.jsonl", code=1)


def test_replay__accepts_what_trace_wrote(record):
    end = json.loads(record[-1])
    told = done("replay", write("game.jsonl", "\n".join(record) + "\n"))
    assert told.startswith(f"Game 5 of seed 4 is sound: {len(record)} lines, {end['turns']} turns, {end['reason']}")


def test_replay__fits_80_columns_whatever_the_numbers():
    seed, game = 2**63 - 1, 2**31 - 2
    done(*TRACE, "--seed", seed, "--game", game, "--out", "game.jsonl")
    told = in_80_columns("replay", "game.jsonl")
    assert flat(told).startswith(f"Game {game} of seed {seed} is sound: ")


def changed(record, kind, change, which=0):
    """The record with one line of a kind changed, and the number of that line."""
    events = [json.loads(line) for line in record]
    at = [k for k, event in enumerate(events) if event["type"] == kind][which]
    events[at].update(change(events[at]) if callable(change) else change)
    return "".join(json.dumps(event) + "\n" for event in events), at + 1


TAMPERED = {
    "plays more than there are": ("play", {"naturals": 9}, 0),
    "plays more jokers than there are": ("play", {"jokers": 5}, 1),
    "another player plays": ("play", lambda e: {"seat": (e["seat"] + 1) % 3}, 3),
    "counts turns wrongly": ("play", lambda e: {"turn": e["turn"] + 1}, 5),
    "pinches somebody else": ("pinch", lambda e: {"victim": (e["victim"] + 1) % 3}, 0),
    "draws another card": ("draw", lambda e: {"cards": ["A" if e["cards"] != ["A"] else "K"]}, 2),
    "draws from an empty place": ("draw", {"source": "market", "place": 6}, 0),
    "fills up with other cards": ("refill", lambda e: {"cards": ["A" if e["cards"] != ["A"] else "K"]}, 0),
    "one point more": ("end", lambda e: {"scores": [e["scores"][0] + 1, *e["scores"][1:]]}, 0),
    "another winner": ("end", {"winners": [0, 1]}, 0),
    "another reason": ("end", lambda e: {"reason": "turn_limit"}, 0),
    "says more than it should": ("pass", {"why": "a mood"}, 0),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_replay__tampered_line_is_named(record, how):
    text, number = changed(record, *TAMPERED[how])
    assert refused("replay", write("game.jsonl", text), code=1).startswith(f"Line {number} of the record ")


def test_replay__draw_from_another_place_is_named(record):
    """The card that the line says was drawn does not lie there; it need not become illegal many turns later."""
    events = [json.loads(line) for line in record]
    at = next(k for k, event in enumerate(events) if event["type"] == "draw" and event["source"] == "market")
    # The places before the draw: as dealt, with what was filled up since.
    market = list(events[0]["market"])
    for event in events[1:at]:
        if event["type"] == "refill":
            for card, place in zip(event["cards"], event["places"], strict=True):
                market[place] = card
    other = next(place for place, card in enumerate(market) if card != events[at]["cards"][0])
    events[at]["place"] = other
    text = "".join(json.dumps(event) + "\n" for event in events)
    assert refused("replay", write("game.jsonl", text), code=1).startswith(f"Line {at + 1} of the record ")


@pytest.mark.parametrize("cut", [1, 2, 20])
def test_replay__record_that_stops_early(record, cut):
    message = refused("replay", write("game.jsonl", "\n".join(record[:-cut]) + "\n"), code=1)
    assert "lines" in message


def test_replay__record_with_a_line_too_many(record):
    text = "\n".join([*record, '{"type":"pass","seat":0}']) + "\n"
    message = refused("replay", write("game.jsonl", text), code=1)
    assert f"has {len(record) + 1} lines; the game has {len(record)}" in message


@pytest.mark.parametrize(
    "change",
    [
        {"players": 6},
        {"players": "3"},
        {"start_seat": 3},
        {"start_seat": 0.5},
        {"format": "pinchsim-trace/2"},
        {"rules": {"free_draw": 1}},
        {"rules": {"wild": True}},
        {"hands": None},
        {"hands": [[None] * 13] * 3},
        {"market": [None] * 6},
        {"market": [8] * 6},
        {"strategies": []},
        {"seed": -1},
    ],
    ids=str,
)
def test_replay__wrong_header_is_a_usage_error(record, change):
    text, _ = changed(record, "game", change)
    assert "Traceback" not in refused("replay", write("game.jsonl", text))


@pytest.mark.parametrize(
    "change", [{"hands": []}, {"market": ["A"] * 6}, {"pile": []}, {"variant": "classic"}], ids=str
)  # fmt: skip
def test_replay__deal_that_the_rules_do_not_lead_to(record, change):
    text, _ = changed(record, "game", change)
    assert refused("replay", write("game.jsonl", text), code=1)


DUEL = ("trace", "--variant", "duel", "--line-up", "greedy", "--game", "3")


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h["shadow"].append(h["pile"].pop()),
        lambda h: h["out_of_play"].append(h["pile"].pop()),
        lambda h: h["market"].__setitem__(0, [h["market"][0], h["pile"].pop()]),
        lambda h: h["hands"][0].__setitem__(h["hands"][0].index("X"), h["pile"].pop()),
    ],
    ids=["shadow", "out of play", "market", "hand"],
)
def test_replay__forged_deal_of_a_duel(change):
    """R8.1 to R8.3: 2 jokers a hand, 13 shadow cards, and only kings and jokers on top of market cards."""
    header, *lines = done(*DUEL).splitlines()
    header = json.loads(header)
    change(header)
    assert refused("replay", write("game.jsonl", "\n".join([json.dumps(header), *lines])), code=1)


def test_replay__line_of_an_unknown_kind(record):
    lines = [record[0], '{"type":"jump","seat":0}', *record[1:]]
    assert "Not a line" in refused("replay", write("game.jsonl", "\n".join(lines)))
    assert "nested too deeply" in refused("replay", write("deep.jsonl", "[" * 100_000))


@pytest.mark.parametrize("lost", ["seed", "game", "strategies", "variant", "rules", "players", "start_seat", "hands", "pile"])
def test_replay__header_that_lacks_something(record, lost):
    events = [json.loads(line) for line in record]
    del events[0][lost]
    text = "".join(json.dumps(event) + "\n" for event in events)
    assert lost in refused("replay", write("game.jsonl", text))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("play", {"naturals": "two"}),
        ("play", {"naturals": 10**12}),
        ("play", {"naturals": 1.5}),
        ("play", {"naturals": -1}),
        ("play", {"value": "Z"}),
        ("play", {"value": ["A"]}),
        ("play", {"jokers": None}),
        ("pinch", {"choice": "steal"}),
        ("respond", {"choice": None}),
        ("draw", {"source": "market", "place": "x"}),
        ("draw", {"source": "market", "place": None}),
        ("draw", {"source": "market", "place": 10**12}),
        ("draw", {"source": "market", "place": [1]}),
        ("draw", {"source": "sleeve"}),
        ("play", {"type": "cheat"}),
        ("play", {"type": ["play"]}),
    ],
)
def test_replay__garbled_line_is_told(record, kind, change):
    text, _ = changed(record, kind, change)
    result = run("replay", write("game.jsonl", text))
    assert result.exit_code in (1, 2)
    assert "Error: " in result.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "holds no record"),
        (b"hello\n", "line 1: not JSON"),
        (b"[1]\n", "line 1: not a line of pinchsim-trace/1"),
        (b'{"type":"play"}\n', "line 1: a record begins with a line of type 'game'"),
        (b"\xff\xfe\x00\n", "game.jsonl"),
    ],
)
def test_replay__file_that_is_no_record(text, words):
    Path("game.jsonl").write_bytes(text)
    assert words in refused("replay", "game.jsonl")


def test_watch__tells_the_game(record):
    text = done("watch", *TRACE[1:], "--seed", "4", "--game", "5")
    end = json.loads(record[-1])
    assert text.startswith("pinch, 3 players, seed 4, game 5\n")
    assert text.count(" plays uniform") == 3
    assert text.count("(start player)") == 1
    assert f"The game ends after {end['turns']} turns" in text
    kinds = [json.loads(line)["type"] for line in record]
    assert text.count(" pinches ") == kinds.count("pinch")
    assert sum(line.endswith("draws no card.") for line in text.splitlines()) == kinds.count("pass")
    winners = " and ".join(map(str, end["winners"]))
    assert f"{winners} wins." in text or f"{winners} share the win." in text


def test_watch__several_games():
    text = done("watch", *TRACE[1:], "--games", "2")
    assert text.count(" players, seed 1, game ") == 2
    assert text.index("game 0") < text.index("The game ends") < text.index("game 1")


# Lists


def test_columns__mentions_every_column():
    words = done("columns").split()
    missing = [(table, column.name) for table, column in column_table(games.load("pinch")) if column.name not in words]
    assert missing == []


def test_columns__explains_every_column():
    text = done("columns")
    squeezed = "".join(text.split())
    for _, column in column_table(games.load("pinch")):
        assert column.dtype in text
        assert column.unit.split()[0] in text
        assert column.meaning.split()[0] in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "variant,playersandline_up" in squeezed


def test_variants_list__names_each_with_its_description():
    lines = done("variants", "list").splitlines()
    assert [line.split()[0] for line in lines] == variant_names()
    assert all(load_variant(line.split()[0]).description in line for line in lines)


@pytest.mark.parametrize("name", variant_names())
def test_variants_show__every_switch_with_its_value(name):
    variant = load_variant(name)
    lines = [line.lstrip("* ").split() for line in done("variants", "show", name).splitlines()]
    for switch, value in variant.rules.switches().items():
        (line,) = [line for line in lines if line[:1] == [switch]]
        assert line[1] == (str(value).lower() if isinstance(value, bool) else str(value))


def test_variants_show__marks_what_differs():
    lines = done("variants", "show", "aces-bite").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("* ") and "differs" not in line] == ["free_draw", "aces_bite"]
    assert lines[-1] == "* differs from pinch"


def test_variants_show__own_file():
    path = write("mine.toml", 'base = "classic"\ndescription = "Mine [at last]."\nstart_bonus = [0, 0.5]\n')
    lines = done("variants", "show", path).splitlines()
    assert lines[0] == "mine: Mine [at last]."
    marked = {line.split()[1]: line for line in lines if line.startswith("* ") and "differs" not in line}
    assert list(marked) == ["free_draw", "start_bonus"]
    assert "[0, 0.5]" in marked["start_bonus"]


def test_variants_show__knows_every_switch():
    text = done("variants", "show", "pinch")
    assert all(name in text for name in RuleSet.model_fields)


def test_strategies_list__each_with_its_idea():
    lines = entries(in_80_columns("strategies", "list"))
    assert list(lines) == sorted(library.all_strategies("pinch"))
    for name, strategy in library.all_strategies("pinch").items():
        assert strategy.idea in lines[name]
    assert [name for name, line in lines.items() if "default" in line.split("(")[-1]] == [games.load("pinch").default_strategy]


def test_strategies_list__own_ones_say_where_they_are():
    path = write("strategies/pinch/mine.py", f'"""My idea."""\n\n\n{PLAY}')
    other = write("more/other.py", PLAY)
    lines = entries(done("strategies", "list", "--strategies", "more"))
    assert "My idea." in lines["mine"]
    assert str(path.resolve()) in lines["mine"]
    assert str(other.resolve()) in lines["other"]


def test_strategies_list__broken_file_does_not_hide_the_others():
    write("strategies/pinch/broken.py", "def play(view\n")
    path = write("strategies/pinch/latin.py", "")
    path.write_bytes(b'"""Caf\xe9."""\n')
    assert {"broken", "latin", "greedy"} <= set(entries(done("strategies", "list")))


def test_strategies_view__lists_every_field():
    lines = entries(in_80_columns("strategies", "view"))
    found = {name.split("[")[0]: line for name, line in lines.items()}
    assert list(found) == [f"view.{name}" for name in VIEW_DOCS]
    for name, meaning in VIEW_DOCS.items():
        assert found[f"view.{name}"].endswith(f" {meaning}")
    assert "view.hand[16]" in lines


def test_strategies_new__writes_and_says_where():
    told = done("strategies", "new", "mine")
    assert "strategies/pinch/mine.py" in told
    assert "pinchsim strategies check mine" in told
    assert library.find("pinch", "mine").path == Path("strategies/pinch/mine.py").resolve()
    assert "exists already" in refused("strategies", "new", "mine")


def test_strategies_new__what_it_says_to_do_next_works():
    """The folder of the new file is not searched by itself; the command that is told must find it."""
    told = done("strategies", "new", "mine", "--folder", "elsewhere")
    assert Path("elsewhere/mine.py").is_file()
    assert "--strategies elsewhere" in told


def test_strategies_check__prints_each_point(monkeypatch):
    seen = []

    def passing(strategy):
        seen.append(strategy.name)
        yield from ("compiles: yes", "legal: yes")

    monkeypatch.setattr(checking, "check", passing)
    assert done("strategies", "check", "greedy") == "compiles: yes\nlegal: yes\n"
    assert seen == ["greedy"]


def test_strategies_check__fits_80_columns(monkeypatch):
    point = f"legal: yes, in 10,000 games of each of {', '.join(variant_names())} with every number of players"
    monkeypatch.setattr(checking, "check", lambda strategy: iter([point]))
    assert entries(in_80_columns("strategies", "check", "greedy")) == {"legal:": point}


def test_strategies_check__failing_exits_with_1(monkeypatch):
    def failing(strategy):
        yield "compiles: yes"
        raise RunError("mine.py: breaks the rules")

    monkeypatch.setattr(checking, "check", failing)
    result = run("strategies", "check", "greedy")
    assert result.exit_code == 1
    assert result.stdout == "compiles: yes\n"
    assert result.stderr == "Error: mine.py: breaks the rules\n"


def test_any_command__interrupted_before_a_run_began(monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("pinchsim.api.sweep", interrupted)
    result = run(*SWEEP)
    assert (result.exit_code, result.stdout) == (130, "")
    assert "The same command begins again" in result.stderr
