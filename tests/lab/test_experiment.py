"""An experiment is the same from fields, from a file and from its own copy; what is wrong is told in words."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinchsim import games
from pinchsim.errors import UsageError
from pinchsim.games.pinch.rules import variant_names
from pinchsim.lab.experiment import cells, make_experiment, read_experiment, to_toml
from pinchsim.paths import shipped

GREEDY = {"players": [3], "line_ups": ["greedy"]}
DEFAULT = games.load("pinch").default_strategy
SHIPPED = sorted(shipped("experiments").glob("*.toml"))


def made(**fields):
    return make_experiment(fields, "here")


def refusal(**fields):
    with pytest.raises(UsageError) as caught:
        made(**fields)
    message = str(caught.value)
    assert message.startswith("here: ")
    return message


def cell_refusal(folders=(), **fields):
    with pytest.raises(UsageError) as caught:
        cells(made(**fields), folders)
    return str(caught.value)


def file_of(folder, text, name="question.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# Fields


def test_make_experiment__defaults():
    experiment = made()
    assert experiment.game == "pinch"
    assert experiment.variants == ("pinch",)
    assert experiment.base == "pinch"
    assert experiment.players == (), "all that each variant is made for"
    assert experiment.line_ups == (DEFAULT,)
    assert (experiment.games, experiment.seed, experiment.margin) == (100_000, 1, 0.01)


def test_make_experiment__base_game_comes_first_to_compare_with():
    assert made(variants=["classic"]).variants == ("pinch", "classic")
    assert made(variants=["classic", "pinch"]).variants == ("pinch", "classic")
    assert made(variants=["pinch"], base="classic").variants == ("classic", "pinch")


def test_make_experiment__duels_are_compared_with_the_duel_and_have_their_own_margin():
    experiment = made(variants=["duel+classic", "linko-duel"])
    assert (experiment.variants, experiment.base) == (("duel", "duel+classic", "linko-duel"), "duel")
    assert experiment.margin == 0.02
    assert made(variants=["duel+classic"], base=None, margin=0.01).margin == 0.01
    assert made(variants=["duel", "classic"]).base == "pinch"


def test_cells__players_that_each_variant_is_made_for():
    def tables(**fields):
        return [(c.name.variant, c.name.players) for c in cells(made(line_ups=["greedy"], **fields), ())]

    assert tables(variants=["duel"]) == [("duel", 2)]
    assert tables(variants=["linko", "duel"], base=None) == [("duel", 2), *(("linko", n) for n in (3, 4, 5))]
    assert tables(variants=["linko", "duel"], base=None, players=[2, 4]) == [("duel", 2), ("linko", 4)]
    assert {variant for variant, _ in tables(variants=["all"], base=None, players=[2])} == {
        "duel", "duel+classic", "duel+aces-bite", "linko-duel",
    }  # fmt: skip
    with pytest.raises(UsageError, match="Nothing can be compared with 'pinch'"):
        tables(variants=["duel"], base="pinch")


@pytest.mark.parametrize(
    ("variants", "players", "words"),
    [
        (["duel"], [4], "Variant 'duel': 4 players cannot play; a duel is for exactly 2 players"),
        (["classic", "duel"], [3, 4], "Variant 'duel': 3 players cannot play"),
        (["classic"], [3, 2], "Variant 'classic': 2 players cannot play"),
        (["classic"], [6], "Variant 'classic': 6 players cannot play"),
        (["all"], [6], "6 players cannot play"),
    ],
)
def test_cells__players_that_no_variant_is_made_for(variants, players, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        cells(made(variants=variants, players=players), ())


@pytest.mark.parametrize("base", [None, ""])
def test_make_experiment__no_base_no_comparison(base):
    experiment = made(variants=["classic"], base=base)
    assert (experiment.variants, experiment.base) == (("classic",), None)


def test_make_experiment__all_variants():
    everything = tuple(variant_names())
    assert made(variants=["all"]).variants == everything
    assert made(variants=["classic", "all"], base=None).variants == ("classic", *[n for n in everything if n != "classic"])
    assert made(variants=["all", "linko+duel"]).variants == (*everything, "linko+duel")


def test_make_experiment__nothing_twice():
    experiment = made(
        variants=["classic", "classic", "pinch"], players=[5, 3, 5, 3], line_ups=["uniform", DEFAULT, "default", "uniform"]
    )
    assert experiment.variants == ("pinch", "classic")
    assert experiment.players == (3, 5)
    assert experiment.line_ups == ("uniform", DEFAULT)


def test_make_experiment__spaces_in_a_line_up():
    assert made(line_ups=["greedy, uniform", " greedy,uniform ", " default"]).line_ups == ("greedy,uniform", DEFAULT)


def test_make_experiment__leaves_the_given_fields_alone():
    fields = {"variants": ["all"], "players": [5, 3]}
    make_experiment(fields, "here")
    assert fields == {"variants": ["all"], "players": [5, 3]}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("games", 0),
        ("games", -5),
        ("games", "many"),
        ("games", 10.5),
        ("games", None),
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 1.5),
        ("seed", "x"),
        ("margin", 0),
        ("margin", 1),
        ("margin", -0.01),
        ("margin", float("nan")),
        ("margin", "1 pp"),
        ("players", ["four"]),
        ("players", 4),
        ("variants", []),
        ("variants", "pinch"),
        ("variants", [3]),
        ("line_ups", []),
        ("line_ups", "greedy"),
        ("line_ups", [["greedy", "uniform"]]),
        ("base", 3),
        ("game", 3),
        ("game", None),
        ("question", 3),
    ],
)
def test_make_experiment__impossible_field(field, value):
    """Names the field, what was given and what the field is for."""
    message = refusal(**{field: value})
    given_one = value[0] if isinstance(value, list) and value else value
    assert message.startswith(f"here: '{field}' cannot be {given_one!r}: ")
    assert re.search(r"\(.+\)\.$", message), "what the field is for"


@pytest.mark.parametrize("value", ["whist", ""])
def test_make_experiment__unknown_game(value):
    with pytest.raises(UsageError, match="is not a game. Known: pinch"):
        made(game=value)


def test_make_experiment__unknown_field():
    message = refusal(variant=["classic"])
    assert "'variant' is not a field of an experiment" in message
    assert all(name in message for name in ("variants", "base", "players", "line_ups", "games", "seed", "margin"))


def test_make_experiment__largest_seed():
    assert made(seed=2**63 - 1).seed == 2**63 - 1


# Files


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
FIELDS = {
    "question": TEXTS,
    "variants": st.lists(st.sampled_from(["all", "pinch", "classic", "duel", "pinch+start_bonus=[0, 1]"]), min_size=1),
    "base": st.sampled_from(["", "pinch", "classic"]),
    "players": st.lists(st.sampled_from([3, 4, 5]), min_size=1),
    "line_ups": st.lists(st.sampled_from(["default", "greedy", "uniform,greedy"]), min_size=1),
    "games": st.integers(1, 2 * 10**9),
    "seed": st.integers(0, 2**63 - 1),
    "margin": st.floats(1e-12, 1, exclude_max=True),
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    return tmp_path_factory.mktemp("experiments")


@given(fields=st.fixed_dictionaries({}, optional=FIELDS))
def test_to_toml__is_read_again_as_the_same_experiment(shelf, fields):
    experiment = make_experiment(fields, "here")
    assert read_experiment(file_of(shelf, to_toml(experiment)), {}) == experiment


def test_to_toml__explains_every_field():
    lines = to_toml(made()).splitlines()
    for name in type(made()).model_fields:
        (at,) = [k for k, line in enumerate(lines) if line.startswith(f"{name} = ")]
        assert lines[at - 1].startswith("# ")


def test_read_experiment__equals_the_same_fields(tmp_path):
    path = file_of(tmp_path, 'variants = ["classic"]\nplayers = [4, 3]\nline_ups = ["uniform"]\ngames = 1_000\nseed = 7\n')
    expected = made(variants=["classic"], players=[3, 4], line_ups=["uniform"], games=1000, seed=7)
    assert read_experiment(path, {}) == expected


def test_read_experiment__changes_replace_what_the_file_says(tmp_path):
    path = file_of(tmp_path, 'variants = ["classic"]\ngames = 1000\nseed = 7\n')
    changed = read_experiment(path, {"games": 30, "base": None})
    assert (changed.games, changed.seed, changed.base, changed.variants) == (30, 7, None, ("classic",))


def test_read_experiment__missing_file(tmp_path):
    path = tmp_path / "none.toml"
    with pytest.raises(UsageError) as caught:
        read_experiment(path, {})
    message = str(caught.value)
    assert message.startswith(f"There is no experiment file '{path}'.")
    assert all(known.stem in message for known in SHIPPED)


def test_read_experiment__shipped_one_by_its_name():
    path = SHIPPED[0]
    assert read_experiment(Path(path.stem), {}) == read_experiment(path, {})


def test_read_experiment__own_file_before_a_shipped_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = SHIPPED[0].name
    file_of(tmp_path, "seed = 4711\n", name)
    assert read_experiment(Path(name), {}).seed == 4711


def test_read_experiment__missing_file_is_not_replaced_by_a_shipped_one_of_its_name(tmp_path):
    """A wrong folder is a mistake; another experiment than the one that was meant must not run instead."""
    with pytest.raises(UsageError, match="There is no experiment file"):
        read_experiment(tmp_path / SHIPPED[0].name, {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("games = \n", ("not a valid TOML file", "line 1")),
        ("games = 5\ngames = 6\n", ("not a valid TOML file", "line 2")),
        ("games = 0\n", ("'games' cannot be 0", "greater than or equal to 1")),
        ("variant = ['classic']\n", ("'variant' is not a field",)),
        ("variants = [3]\n", ("'variants' cannot be 3",)),
        ("[games]\nmany = 1\n", ("'games' cannot be",)),
    ],
)
def test_read_experiment__mistake_in_a_file(tmp_path, text, words):
    path = file_of(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_experiment(path, {})
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert all(word in message for word in words)


def test_read_experiment__file_that_is_no_text(tmp_path):
    path = tmp_path / "question.toml"
    path.write_bytes(b'question = "\xff"\n')
    with pytest.raises(UsageError, match="not a valid TOML file"):
        read_experiment(path, {})


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_read_experiment__shipped_ones_ask_something_and_can_be_read(path):
    experiment = read_experiment(path, {})
    assert experiment.question.endswith("?")


# Cells


def test_cells__all_combinations_with_variants_inside():
    found = cells(made(variants=["pinch", "classic"], players=[4, 3], line_ups=["uniform", "greedy"]), ())
    assert [tuple(cell.name) for cell in found] == [
        (variant, players, line_up)
        for line_up in ("uniform", "greedy")
        for players in (3, 4)
        for variant in ("pinch", "classic")
    ]
    assert all(cell.variant.name == cell.name.variant for cell in found)


@pytest.mark.parametrize(
    ("line_up", "players", "seated"),
    [
        ("greedy", 3, ["greedy"] * 3),
        ("default", 4, [DEFAULT] * 4),
        ("greedy,uniform", 4, ["greedy", "uniform", "uniform", "uniform"]),
        ("greedy,greedy,uniform", 3, ["greedy", "greedy", "uniform"]),
        ("uniform,greedy,uniform,greedy,greedy", 5, ["uniform", "greedy", "uniform", "greedy", "greedy"]),
    ],
)
def test_cells__last_strategy_fills_the_table(line_up, players, seated):
    (cell,) = cells(made(players=[players], line_ups=[line_up], base=None), ())
    assert [s.name for s in cell.strategies] == seated


def test_cells__line_up_longer_than_the_table():
    message = cell_refusal(players=[3, 5], line_ups=["greedy,greedy,greedy,uniform"])
    assert message.startswith("The line-up 'greedy,greedy,greedy,uniform' names 4 strategies, but only 3 players")
    cells(made(players=[4, 5], line_ups=["greedy,greedy,greedy,uniform"]), ())


@pytest.mark.parametrize("line_up", ["gredy", "greedy,unifrom", "greedy,", "", ",greedy"])
def test_cells__unknown_strategy(line_up):
    assert "is not a strategy." in cell_refusal(line_ups=[line_up])


def test_cells__strategy_from_a_given_folder(tmp_path):
    (tmp_path / "greedy.py").write_text("def play(view):\n    return 1\n", encoding="utf-8")
    (cell,) = cells(made(base=None, **GREEDY), (tmp_path,))
    assert {s.path.parent for s in cell.strategies} == {tmp_path.resolve()}


@pytest.mark.parametrize("players", [[2], [6], [3, 7]])
def test_cells__player_count_not_allowed(players):
    message = cell_refusal(players=players)
    assert f"{players[-1]} players cannot play; allowed are 3, 4, 5" in message


def test_cells__unknown_variant():
    assert "'clasic' is not a variant. Did you mean 'classic'?" in cell_refusal(variants=["clasic"])
    assert "'clasic' is not a variant. Did you mean 'classic'?" in cell_refusal(base="clasic")


def test_cells__rule_set_that_so_many_players_cannot_be_dealt(tmp_path):
    path = file_of(tmp_path, "hand_size = 24\n", "big.toml")
    cells(made(variants=[str(path)], players=[3, 4]), ())
    message = cell_refusal(variants=[str(path)], players=[3, 4, 5])
    assert message.startswith("Variant 'big': with 5 players, 'hand_size' 24")


def test_cells__two_variant_files_of_one_name(tmp_path):
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths.append(str(file_of(tmp_path / folder, "market_size = 7\n", "mine.toml")))
    message = cell_refusal(variants=paths)
    assert message.startswith("Two variant files are named 'mine'; rename one")


def test_cells__same_cells_whatever_is_said_twice():
    twice = made(variants=["classic", "classic"], players=[4, 4], line_ups=[DEFAULT, "default"])
    once = made(variants=["classic"], players=[4], line_ups=[DEFAULT])
    assert [c.name for c in cells(twice, ())] == [c.name for c in cells(once, ())]
