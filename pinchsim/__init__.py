"""pinchsim: the laboratory where a card game's rules are tested before people play them.

`pinchsim.sweep(...)` plays an experiment, `pinchsim.audit_rules(...)` every contested reading of the rules,
`pinchsim.audit_coverage(...)` counts which rules come into play, `pinchsim.tournament(...)` plays strategies against each
other, `pinchsim.skill(...)` measures skill and noise, `pinchsim.luck(...)` says how much is luck, `pinchsim.tune(...)`
improves a strategy, `pinchsim.exploit(...)` searches for what beats one, `pinchsim.price(run, ...)` confirms the fair price
of the start, `pinchsim.load(folder)` reads a run again, `pinchsim.resume(folder)` goes on with one,
`pinchsim.write_report(run, ...)` writes the report, `pinchsim.certify(file)` judges the lines that an experiment drew
beforehand, `pinchsim.compare(run, other)` sets two runs side by side. They are loaded on first use, so that importing the
package is quick.
"""

from typing import Any

__all__ = [
    "audit_coverage", "audit_rules", "certify", "compare", "exploit", "load", "luck", "price", "resume", "skill", "sweep",
    "tournament", "tune", "write_report",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        from pinchsim import api

        return getattr(api, name)
    raise AttributeError(f"module 'pinchsim' has no attribute '{name}'")
