"""The commands that the report gives: what would produce something that it lacks, and the report with that joined.

They are to be given in the folder of the page.
"""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from pinchsim.report.evidence import Material

FEWEST = 2  # strategies of a tournament


class Where(NamedTuple):
    """A variant with a number of players, and a strategy that is played there."""

    variant: str
    players: int
    strategy: str


def strongest(material: Material, line_ups: Sequence[str]) -> str:
    """A strategy of the last line-up, of a ladder of the strongest level that is not slow."""
    quick = [line_up for line_up in line_ups if line_up in material.levels]
    return (quick or list(line_ups))[-1].split(",")[0]


def somewhere(material: Material) -> Where:
    """The last variant and number of players of the run, and the strongest who plays."""
    rows = material.summary.estimates.select("variant", "players", "line_up")
    variant, players, _ = rows.row(-1)
    return Where(variant, players, strongest(material, list(dict.fromkeys(rows["line_up"]))))


def again(material: Material, *options: str) -> str:
    """The sweep once more with other options."""
    return shlex.join(["pinchsim", "sweep", f"{material.folder}experiment.toml", *options])


def asking(material: Material) -> str:
    """The same report with a wish for the length."""
    return _report(material, [], ["--minutes", "15-30"])


def sessions(material: Material) -> str:
    """Whole matches of what was swept."""
    return _joined(material, (again(material, "--session", "match"), "matches"))


def tournament(material: Material, at: Where, attacker: str = "", strategies: str = "") -> str:
    """The levels of the game and who plays here, against each other; an attacker, too, from a folder of strategies."""
    names = list(dict.fromkeys([*material.levels, at.strategy, *filter(None, [attacker])]))
    named = names if len(names) >= FEWEST else [*names, "STRATEGY"]
    command = _command(material, at, "tournament", *named)
    more = f" --strategies {shlex.quote(strategies)}" if attacker else ""
    return _joined(material, (command + more, _folder("tournament-more" if attacker else "tournament", at)))


def skill(material: Material, at: Where) -> str:
    """What strength is worth."""
    return _joined(material, (_command(material, at, "skill"), _folder("skill", at)))


def exploit(material: Material, at: Where) -> str:
    """What beats who plays here."""
    return _joined(material, (_command(material, at, "exploit", at.strategy), _folder("exploit", at)))


def luck(material: Material, at: Where) -> str:
    """How much is luck."""
    return _joined(material, (_command(material, at, "luck"), _folder("luck", at)))


def price(material: Material) -> str:
    """Whether the best bonus makes the start fair."""
    run = material.folder.rstrip("/") or "."
    return _joined(material, (shlex.join(["pinchsim", "price", run]), "price"))


def readings(material: Material, at: Where) -> str:
    """Every contested reading of the rules."""
    return rules(material, at, ["readings"])


def coverage(material: Material, at: Where) -> str:
    """How often each rule comes into play."""
    return rules(material, at, ["coverage"])


def rules(material: Material, at: Where, wanted: Sequence[str]) -> str:
    """Both audits of the rules, or one of them: "coverage", "readings"."""
    count = shlex.join(["pinchsim", "audit", "coverage", "--variant", _source(material, at)])
    read = f"{_command(material, at, 'audit', 'rules')} --line-up {shlex.quote(at.strategy)}"
    known = {"coverage": (count, f"coverage-{_plain(at.variant)}"), "readings": (read, _folder("readings", at))}
    return _joined(material, *(known[name] for name in wanted))


def _command(material: Material, at: Where, *words: str) -> str:
    return shlex.join(["pinchsim", *words, "--variant", _source(material, at), "--players", str(at.players)])


def _source(material: Material, at: Where) -> str:
    return material.sources.get(at.variant, at.variant)


def _folder(what: str, at: Where) -> str:
    """A folder of its own for each variant and number of players."""
    return f"{what}-{_plain(at.variant)}-{at.players}p"


def _plain(variant: str) -> str:
    """A variant's name as part of a folder's."""
    return re.sub(r"[^\w.+=-]", "-", variant)


def _joined(material: Material, *filling: tuple[str, str]) -> str:
    """Commands that each fill a folder, and then the report with these folders, too."""
    wished = material.minutes
    minutes = ["--minutes", f"{wished.low:g}-{wished.high:g}"] if wished else []
    fill = [f"{command} --out {shlex.quote(folder)}" for command, folder in filling]
    return " && ".join([*fill, _report(material, [folder for _, folder in filling], minutes)])


def _report(material: Material, folders: list[str], minutes: list[str]) -> str:
    """This report with further folders."""
    named = [path.rstrip("/") or "." for path in (material.folder, *material.joined)]
    return shlex.join(["pinchsim", "report", *named, *folders, *minutes, *(["--out", "."] if material.folder else [])])
