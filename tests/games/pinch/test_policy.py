"""The parametric policy: what it sees, what it is made of, and how its files are read."""

import numpy as np
import pytest

from pinchsim._jit import combine_of, copy_of, dot_of, entry
from pinchsim.errors import UsageError
from pinchsim.games.pinch import codes as c
from pinchsim.games.pinch import compiled
from pinchsim.games.pinch.game import PINCH
from pinchsim.games.pinch.kernel import load
from pinchsim.games.pinch.policy import decide, layout, small
from pinchsim.games.pinch.policy.files import nearest, read_policy
from pinchsim.games.pinch.policy.mind import HOLDS, LIKELY, ROW, STEP, SURE
from pinchsim.games.pinch.rules import load_variant, variant_names
from pinchsim.games.pinch.state import STATE, VIEW, show
from pinchsim.strategy import library

from .table import Table, packed

DOT, COPY, COMBINE = dot_of(16), copy_of(16), combine_of(8, 5)


@entry
def dot_entry(a, b):
    return DOT(a, b)


@entry
def copy_entry(target, source):
    COPY(target, source)


@entry
def combine_entry(total, table, first, factors, rows, n):
    COMBINE(total, table, first, factors, rows, n)


@entry
def ask(state_bytes, view_bytes, position, kind):
    """Ask for a decision: 0 play, 1 take, 2 take back, 3 draw."""
    state, view = state_bytes.view(STATE)[0], view_bytes.view(VIEW)[0]
    state.mind.moment = -1
    show(state, view, position)
    weights = state.weights[0]
    if kind == 0:
        return decide.play(view, weights, state.mind)
    if kind == 1:
        return np.int64(decide.take(view, weights, state.mind))
    if kind == 2:
        return np.int64(decide.take_back(view, weights, state.mind))
    return np.int64(decide.draw(view, weights, state.mind))


def table(hands, displays, weights=None, **more):
    """A table whose player 0 decides by these weights; all cards that lie nowhere openly are unseen."""
    t = Table(hands, displays, **more)
    t.state["weights"][0] = small.expand({}) if weights is None else weights
    t.state["weights"][0, layout.MEMORY] = 1
    for card in range(1, 15):
        shown = sum(cards_of(int(g), card) for g in np.asarray(t.view["groups"]).ravel())
        t.view["unseen"][card] = (4 if card == c.JOKER else 8) - shown - int(np.sum(t.view["market"] == card))
    return t


def cards_of(group, card):
    jokers = group & 15
    return jokers * (card == c.JOKER) + ((group >> 8) - jokers) * (((group >> 4) & 15) == card)


def feature(t, option, name, decision="play"):
    names = [feature for feature, _ in layout.FEATURES[decision]]
    return float(t.state["mind"]["features"][option, names.index(name)])


def options(t):
    mind = t.state["mind"]
    return {int(answer): k for k, answer in enumerate(mind["answers"][: mind["options"]])}


# --- arithmetic -------------------------------------------------------------------------------------------------------


def test_dot_of__sums_in_eight_lanes():
    rng = np.random.default_rng(4)
    for _ in range(50):
        a, b = rng.normal(size=(2, 16)) * 10.0 ** rng.integers(-8, 8, (2, 16))
        lanes = a[:8] * b[:8] + a[8:] * b[8:]
        four = lanes[:4] + lanes[4:]
        assert dot_entry(a, b) == (four[0] + four[1]) + (four[2] + four[3])


def test_copy_of():
    source, target = np.arange(20.0), np.zeros(20)
    copy_entry(target, source)
    np.testing.assert_array_equal(target, [*range(16), 0, 0, 0, 0])


def test_combine_of__adds_row_to_row():
    """Rows of 5 are read 8 wide: what lies beyond them is added, too, and harms nobody."""
    rng = np.random.default_rng(4)
    table, factors, total = rng.normal(size=40), rng.normal(size=6), np.ones(10)
    rows = np.array([4, 0, 3, 9])
    combine_entry(total, table, 2, factors, rows, 3)
    expected = np.zeros(8)
    for row in (4, 0, 3):
        expected += table[2 + 5 * row : 10 + 5 * row] * factors[row]
    np.testing.assert_array_equal(total, [*expected, 1, 1])
    combine_entry(total, table, 2, factors, rows, 0)
    np.testing.assert_array_equal(total, [0] * 8 + [1, 1])


def test_holds__is_the_tail_of_the_binomial_distribution():
    from scipy.stats import binom

    for step in (0, 5, 32, LIKELY):
        for copies in (0, 1, 4, 8):
            for needed in (-1, 0, 1, 2, 4):
                expected = binom.sf(needed - 1, copies, step / LIKELY)
                assert HOLDS[step * STEP + copies * ROW + SURE + needed] == pytest.approx(expected, abs=1e-12)


# --- options and features ---------------------------------------------------------------------------------------------


def test_play__lists_every_group_once():
    t = table(["7 7 7 9 X X", "2 3", "4 5"], [[], [("8", 1, 0)], []])
    ask(*t.memory, 0, 0)
    sevens = [("7", 3, 0), ("7", 3, 1), ("7", 3, 2), ("7", 2, 0), ("7", 1, 0)]
    nines = [("9", 1, 0), ("9", 1, 1), ("9", 1, 2)]
    jokers = [("X", 0, 1), ("X", 0, 2)]
    assert set(options(t)) == {packed(group) for group in sevens + nines + jokers}


def test_play__features_say_what_a_group_does():
    t = table(["7 7 9 X", "2 3", "4 5"], [[("Q", 1, 0)], [("8", 1, 0)], [("K", 2, 0), ("5", 2, 0)]])
    ask(*t.memory, 0, 0)
    place = options(t)
    nine, sevens = place[packed(("9", 1, 0))], place[packed(("7", 2, 0))]
    assert feature(t, nine, "pinches") == 1 and feature(t, nine, "pinched_single") == 1
    assert feature(t, sevens, "pinches") == 1 and feature(t, sevens, "pinched_cards") == 0.5
    assert feature(t, place[packed(("7", 1, 0))], "splits") == 1
    assert feature(t, place[packed(("7", 1, 0))], "pinches") == 0
    assert feature(t, place[packed(("7", 2, 1))], "last_joker") == 1
    assert feature(t, place[packed(("X", 0, 1))], "lone_jokers") == 1
    assert feature(t, sevens, "biggest") == 1 and feature(t, nine, "biggest") == 0
    assert feature(t, nine, "highest") == 1 and feature(t, sevens, "lowest") == 1


def test_play__threat_knows_the_cards():
    """A single king is beaten by lone jokers only; with all jokers in the own hand by nothing."""
    t = table(["K 5 X X X X", "2 3 4", "4 5 6"], [[], [], []])
    ask(*t.memory, 0, 0)
    place = options(t)
    assert feature(t, place[packed(("K", 1, 0))], "threat_1") == 0
    assert 0 < feature(t, place[packed(("5", 1, 0))], "threat_1") < 1
    known = table(["5", "K 3 4", "4 5 6"], [[], [], []])
    ask(*known.memory, 0, 0)
    vague = feature(known, 0, "threat_1")
    known.view["known"][1][13] = 1
    known.view["unseen"][13] -= 1
    ask(*known.memory, 0, 0)
    assert feature(known, 0, "threat_1") > vague


def test_play__contexts_say_how_things_stand():
    t = table(["7 8 9", "2 3", "5 6 8 Q"], [[("9", 2, 0)], [("4", 4, 0)], [("3", 1, 0)]])
    ask(*t.memory, 0, 0)
    mind = t.state["mind"]
    context = dict(zip((name for name, _ in layout.CONTEXTS), mind["context"].tolist(), strict=True))
    assert context["plan_middle"] == 1 and context["plan_short"] == 0
    assert (context["behind"], context["ahead"]) == (1, 0), "2 - 3 points against 4 - 2"
    assert context["next"] == (7 - 2) / 6
    assert context["exposed"] == mind["threat"][9, 1] > 0
    at_work = mind["contexts_at_work"][: mind["n_at_work"]]
    np.testing.assert_array_equal(at_work, np.flatnonzero(mind["context"]))


def test_play__safe_is_what_nothing_beats():
    """All the kings are seen, and the jokers: nothing is above a king."""
    t = table(["K 7", "2 3", "5 6 8"], [[("9", 2, 0)], [("4", 4, 0)], [("3", 1, 0)]])
    t.view["unseen"][[13, c.JOKER]] = 1, 0  # the last king is the own one
    ask(*t.memory, 0, 0)
    king, seven = (options(t)[packed((value, 1, 0))] for value in ("K", "7"))
    assert feature(t, king, "safe_1") == 1 and feature(t, seven, "safe_1") == 0
    assert feature(t, king, "safe_2") == 0


def test_play__ends_the_game_only_to_win():
    ahead = table(["7 7", "2 3 4", "5 6 8"], [[("9", 3, 0)], [("2", 1, 0)], [("3", 1, 0)]])
    assert ask(*ahead.memory, 0, 0) == packed(("7", 2, 0))
    behind = table(["7 7", "2 3 4", "5 6 8"], [[("9", 3, 0)], [("2", 5, 0), ("K", 6, 0)], [("3", 1, 0)]])
    assert ask(*behind.memory, 0, 0) == packed(("7", 1, 0))
    # Equal scores: the one with fewer cards in hand wins (R6.4), and that is who plays the last card.
    tied = table(["7 7", "2", "5 6 8"], [[("9", 3, 0)], [("2", 6, 0)], [("3", 1, 0)]])
    assert ask(*tied.memory, 0, 0) == packed(("7", 2, 0))


def test_take__the_last_card_of_the_stock_decides():
    """The pinched player will draw the last card: taken or not, the scores are known then (R5.3)."""

    def choice(mine):
        t = table(["7 9", "2", "5 6 8"], [[("9", mine, 0)], [("4", 2, 0)], [("3", 1, 0)]], market="2", pile="")
        v = t.view
        v["pile_size"], v["victim"], v["mover"], v["group_value"], v["group_size"], v["group_naturals"] = 0, 1, 0, 4, 1, 1
        return ask(*t.memory, 0, 1)

    assert choice(8) == c.TAKE
    assert choice(2) == c.LEAVE


def test_draw__the_last_card_only_to_win():
    def choice(mine):
        t = table(["7 9", "2", "5 6 8"], [[("9", mine, 0)], [("4", 4, 0)], [("3", 1, 0)]], market="7", pile="")
        t.view["pile_size"], t.view["may_pass"], t.view["to_draw"] = 0, 1, 1
        return ask(*t.memory, 0, 3)

    assert choice(8) == 0
    assert choice(6) == c.PASS


def test_take_back__not_for_ever():
    t = table(["7 9", "2 3", "5 6 8"], [[("9", 3, 0)], [("4", 4, 0)], [("3", 1, 0)]], weights=np.ones(layout.N_WEIGHTS))
    v = t.view
    v["victim"], v["mover"], v["group_value"], v["group_size"], v["group_naturals"], v["position"] = 0, 1, 5, 1, 1, 0
    v["pile_size"] = 30
    t.state["weights"][0, : layout.N_SETTINGS] = (0, 1, 0, 0)
    assert ask(*t.memory, 0, 2) == c.TAKE_BACK
    v["turn"] = 60 * 3 + 1
    assert ask(*t.memory, 0, 2) == c.DISCARD


def test_take_back__not_for_ever_though_discarding_ends_the_game():
    """Who would lose by drawing the last card (R5.3) takes back, but in a long game that alone is endless (R6.6)."""
    t = table(["7 9", "2 3", "5 6 8"], [[("9", 1, 0)], [("4", 4, 0)], [("3", 1, 0)]], market="2", pile="")
    v = t.view
    v["victim"], v["mover"], v["group_value"], v["group_size"], v["group_naturals"], v["position"] = 0, 1, 5, 1, 1, 0
    assert ask(*t.memory, 0, 2) == c.TAKE_BACK
    v["turn"] = 60 * 3 + 1
    assert ask(*t.memory, 0, 2) == c.DISCARD


# --- settings ---------------------------------------------------------------------------------------------------------


def rows(*names, games=300, players=3):
    strategies = [library.find("pinch", name) for name in dict.fromkeys(names)]
    kernel = load(strategies, "fast")
    places = [[s.name for s in strategies].index(name) for name in names]
    blocks = compiled.empty_blocks(games, players)
    kernel.play(load_variant("pinch").rules, places, 5, np.arange(games), PINCH.new_memory(), blocks)
    return blocks[1]


def test_settings__a_hot_head_plays_at_random_and_a_cold_one_its_best():
    clean = rows("dozen", "dozen", "dozen")
    assert (rows("dozen:temperature=0", "dozen:temperature=0", "dozen:temperature=0") == clean).all()
    hot = rows("dozen:temperature=50", "dozen", "dozen", games=900)
    assert hot[5][hot[1] == 0].mean() / 60 < 0.1


def test_settings__forgetting_changes_the_game_but_not_the_rules():
    forgetful = rows("dozen:memory=0", "dozen:memory=0", "dozen:memory=0")
    assert (forgetful != rows("dozen", "dozen", "dozen")).any()
    assert (rows("dozen:memory=0", "dozen:memory=0", "dozen:memory=0") == forgetful).all()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dozen:temprature=1", "there is no setting 'temprature'. Did you mean 'temperature'?"),
        ("dozen:temperature=warm", "temperature must be a number, not 'warm'"),
        ("dozen:temperature=-1", "temperature must be from 0 to 1000, not -1"),
        ("dozen:memory=2", "memory must be from 0 to 1, not 2"),
        ("dozen:7", "there is no setting ''"),
        ("search:many", "playouts must be a number, not 'many'"),
    ],
)
def test_settings__mistakes(name, words):
    with pytest.raises(UsageError) as caught:
        read_policy(library.find("pinch", name))
    assert words in str(caught.value)


def test_settings__code_has_none():
    with pytest.raises(UsageError, match="'greedy' has no settings"):
        library.find("pinch", "greedy:temperature=1")


# --- files ------------------------------------------------------------------------------------------------------------


def strategy(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return library.Strategy("mine", path, False)


def test_small_form__each_name_has_its_place():
    usual = small.expand({})
    for name, (_, value, parts) in small.SMALL.items():
        more = small.expand({name: value + 1}) - usual
        where = {small.position(*part[:3]) for part in parts if part[3] != 0}
        assert set(np.flatnonzero(more)) == where, name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("policy = 'weights'\n[weights]\nsise = 1\n", "there is no weight 'sise'. Did you mean 'size'?"),
        ("policy = 'weights'\n[weights]\nsize = 'big'\n", "the weight 'size' must be a number, not 'big'"),
        ("policy = 'weights'\n[weights]\nsize = nan\n", "the weight 'size' must be a number"),
        ("policy = 'weight'\n[weights]\n", "'policy' must be one of: weights, search"),
        ("policy = 'weights'\n", "holds no weights"),
        ("policy = \n", "not a valid TOML file"),
        ("policy = 'weights'\n['pinch/four'.play]\nsize_1 = [1]\n", "'pinch/four' is neither known nor a table"),
        ("policy = 'weights'\n['pinch/4'.play]\nsize_9 = '1'\n", "a row 'size_9' that this version does not know"),
        (
            "policy = 'weights'\n['pinch/4'.play]\nsize_1 = [1, 2]\n",
            "['pinch/4'.play] size_1: expected 20 whole numbers in quotes",
        ),
        ("policy = 'weights'\n['pinch/4'.play]\nsize_1 = '1 2.5'\n", "size_1: expected 20 whole numbers"),
        (
            "policy = 'weights'\ncontexts = ['alwys']\n['pinch/4'.play]\nsize_1 = '1'\n",
            "no context 'alwys'. Did you mean 'always'",
        ),
        ("policy = 'search'\nplays_like = 'greedy'\n", "'greedy' is none"),
        ("policy = 'search'\nplays_like = 'nobody'\n", "'nobody' is not a strategy"),
    ],
)
def test_read_policy__mistakes(tmp_path, text, words):
    with pytest.raises(UsageError) as caught:
        read_policy(strategy(tmp_path, text))
    assert words in str(caught.value)


def test_read_policy__plays_like_another(tmp_path):
    mine = read_policy(strategy(tmp_path, "policy = 'weights'\nplays_like = 'dozen'\n[settings]\ntemperature = 2\n"))
    table = mine.weights(load_variant("pinch").rules, 4)
    assert table[layout.TEMPERATURE] == 2
    dozen = read_policy(library.find("pinch", "dozen")).weights(load_variant("pinch").rules, 4)
    assert (table[layout.N_SETTINGS :] == dozen[layout.N_SETTINGS :]).all()


def test_digest__covers_the_model(tmp_path):
    first = strategy(tmp_path, "policy = 'search'\nplays_like = 'other'\n")
    (tmp_path / "other.toml").write_text("policy = 'weights'\n[weights]\nsize = 1\n", encoding="utf-8")
    before = first.digest
    (tmp_path / "other.toml").write_text("policy = 'weights'\n[weights]\nsize = 2\n", encoding="utf-8")
    assert first.digest != before


def test_nearest__the_table_most_like_the_rules():
    names = dict.fromkeys(["pinch/3", "pinch/4", "classic/4", "aces-bite/3", "linko/5", "duel/2", "duel+classic/2"])

    def found(variant, players):
        return nearest(names, load_variant(variant).rules, players)

    assert found("pinch", 4) == "pinch/4"
    assert found("pinch", 5) == "pinch/4"
    assert found("classic", 3) == "classic/4"
    assert found("aces-bite", 5) == "aces-bite/3"
    assert found("linko", 5) == "linko/5"
    assert found("duel", 2) == "duel/2"
    assert found("linko-duel", 2) == "duel+classic/2"
    assert found("pinch+hand_size=9", 3) == "pinch/3"


def test_champion__plays_every_variant_by_a_table_of_its_kind():
    """Linko's tables are those of classic, which differs by a joker and the tie-break only."""
    tables = read_policy(library.find("pinch", "champion")).tables
    for name in variant_names():
        rules = load_variant(name).rules
        for players in PINCH.player_counts(rules):
            variant, _, count = nearest(tables, rules, players).rpartition("/")
            theirs = load_variant(variant).rules
            assert int(count) == players
            assert (theirs.duel, theirs.free_draw, theirs.aces_bite) == (rules.duel, rules.free_draw, rules.aces_bite)


def test_champion__beats_greedy():
    """The bar is 84 % with four players; this is a test that the shipped file is the one that was trained."""
    strategies = [library.find("pinch", name) for name in ("champion", "greedy")]
    kernel = load(strategies, "fast")
    blocks = compiled.empty_blocks(2000, 4)
    kernel.play(load_variant("pinch").rules, [0, 1, 1, 1], 11, np.arange(2000), PINCH.new_memory(), blocks)
    players = blocks[1]
    assert players[5][players[1] == 0].mean() / 60 > 0.80
