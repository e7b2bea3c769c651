"""Lists of names and meanings: 80 columns, nothing lost, nothing cut in two."""

from hypothesis import given
from hypothesis import strategies as st

from pinchsim.cli.listing import MOST, WIDTH, listing, wrapped

WORD = st.text("abcdefgh-.", min_size=1, max_size=WIDTH - MOST - 1)
NAME = st.text("abcdefgh[5]", min_size=1, max_size=MOST)


def lines_of(entries, **settings):
    return "\n".join(listing(entries, **settings)).splitlines()


def test_listing__words_stand_in_a_column_of_their_own():
    words = "many words " * 10
    first, second, *_, last = lines_of([("a", words), ("longer", "few words")], fewest=3)
    assert first.startswith("a      many words many")
    assert second.startswith(" " * 7 + "words") or second.startswith(" " * 7 + "many")
    assert last == "longer few words"
    assert lines_of([("a", "few words")], fewest=3) == ["a   few words"]


def test_listing__long_words_and_names_stay_whole():
    path, name = "/folder" * 20, "n" * (MOST + 1)
    assert path in [line.strip() for line in lines_of([("mine", f"My idea. {path}")])]
    assert lines_of([(name, "words"), ("a", "words")]) == [f"{name} words", "a words"]


@given(st.lists(st.tuples(NAME, st.lists(WORD, min_size=1, max_size=30)), min_size=1, max_size=5))
def test_listing__fits_and_keeps_every_word(entries):
    lines = lines_of([(name, " ".join(words)) for name, words in entries])
    assert all(len(line) <= WIDTH for line in lines)
    assert " ".join(lines).split() == [word for name, words in entries for word in (name, *words)]


def test_wrapped__a_sentence():
    assert wrapped("short") == "short"
    lines = wrapped("some words " * 12, further="  ").splitlines()
    assert len(lines) == 2 and all(len(line) <= WIDTH for line in lines)
    assert lines[1].startswith("  ") and lines[1][2] != " "
