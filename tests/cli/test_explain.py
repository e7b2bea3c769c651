"""`pinchsim explain`: the list, a measure in full, and names that are none."""

import subprocess
import sys

from pinchsim.measure.explained import measures
from tests.cli.commands import Command, flat

EXPLAIN = Command("explain")


def test_explain__lists_every_measure_by_number():
    text = EXPLAIN.done()
    for measure in measures():
        assert measure.name in text and measure.number in text
        assert measure.line in flat(text)
    order = [line.split()[0] for line in text.splitlines() if line[:1].strip()]
    assert order.index("win_share") < order.index("length") < order.index("drama") < order.index("ratings")


def test_explain__a_measure_in_full():
    text = EXPLAIN.done("fair_price")
    assert text.startswith("fair_price (METHODS M3.2)\n")
    titles = [line for line in text.splitlines() if line in ("Definition", "Formula", "Units", "Traps", "Source")]
    assert titles == ["Definition", "Formula", "Units", "Traps", "Source"]
    assert "didn't know of the bonus" in flat(text)
    assert "  fair_price = b with b[0] = 0 and W(b)[p] = 1 / players for all p\n" in text
    assert text.endswith("Computed by pinchsim.measure.price.fair_price\n")


def test_explain__every_measure_fits_into_80_columns():
    for measure in measures():
        assert EXPLAIN.done(measure.name).startswith(f"{measure.name} ")


def test_explain__by_a_name_in_a_table_and_by_number():
    assert EXPLAIN.done("ender_wins:hand_empty") == EXPLAIN.done("ending")
    text = EXPLAIN.done("M5.4")
    assert [line for line in text.splitlines() if "(METHODS" in line] == [
        "alpha_rank (METHODS M5.4)",
        "cycles (METHODS M5.4)",
        "dominance (METHODS M5.4)",
        "equilibrium (METHODS M5.4)",
    ]


def test_explain__unknown_name():
    assert EXPLAIN.refused("lenght").startswith("'lenght' is not a measure. Did you mean 'length'? Known: variance_reduction,")
    assert "Did you mean 'level_scores'?" in EXPLAIN.refused("level_score")
    assert "Did you mean" not in EXPLAIN.refused("xyzzy")


def test_explain__loads_nothing_heavy():
    """Measures are read, not imported."""
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom pinchsim.cli.main import main\n"
        "for words in ([], ['length'], ['--help'], ['nothing']):\n    CliRunner().invoke(main, ['explain', *words])\n"
        "print([name for name in ('numba', 'polars', 'matplotlib', 'numpy', 'scipy', 'rich') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


def test_explain__a_reader_who_has_gone_is_no_mistake():
    """As in `pinchsim explain | head -1`."""
    code = "from pinchsim.cli.main import main\nmain(['explain'])"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert "Error" not in process.stderr.read()
