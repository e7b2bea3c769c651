"""Loading a strategy file: run it as a module, compile its functions, and say clearly what is wrong with it.

A strategy is one file. It may import numpy, math and pinchsim, nothing else: what it does must follow from its own text,
so that an edited file can never run stale and a result can name what produced it.
"""

import ast
import hashlib
import inspect
import sys
import types
from collections.abc import Collection
from typing import Any

from pinchsim._jit import inner
from pinchsim.errors import UsageError
from pinchsim.strategy import diagnose
from pinchsim.strategy.library import Strategy

ALLOWED_IMPORTS = ("numpy", "math", "pinchsim")


def decisions(
    strategy: Strategy,
    wanted: tuple[str, ...],
    required: tuple[str, ...],
    fields: Collection[str],
    view_type: Any,
) -> dict[str, Any]:
    """Compiled decision functions of a strategy file, by name; those that the file leaves out are missing.

    Parameters
    ----------
    wanted, required
        Names of the game's decisions, and of those that a file must define.
    fields, view_type
        Names of the view's fields, and its Numba type; None without compilation.

    Raises
    ------
    UsageError
        The file does not run, lacks a decision, or a decision is not right; names the line.
    """
    source = strategy.source
    _check_imports(strategy, source)
    module = _run(strategy, source)
    functions = _compile_functions(module) | _imported(module, wanted)
    for name in required:
        if name not in functions:
            raise UsageError(f"{strategy.path}: a strategy must define '{name}(view)', and this file does not.")
    found = {name: functions[name] for name in wanted if name in functions}
    for name, function in found.items():
        _check_signature(strategy, name, getattr(function, "py_func", function))
    diagnose.check_names(strategy, module, wanted, fields)
    if view_type is not None:
        for name, function in found.items():
            diagnose.compile_alone(strategy, name, function, view_type)
    return found


def _check_imports(strategy: Strategy, source: str) -> None:
    try:
        tree = ast.parse(source, str(strategy.path))
    except SyntaxError as error:
        raise UsageError(f"{strategy.path}, line {error.lineno}: not valid Python: {error.msg}.") from None
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or "."]
        for name in names:
            if name.split(".")[0] not in ALLOWED_IMPORTS:
                raise UsageError(
                    f"{strategy.path}, line {node.lineno}: a strategy is one file and may import only "
                    f"{', '.join(ALLOWED_IMPORTS)}; it imports '{name}'. Copy what it needs into the file."
                )


def _run(strategy: Strategy, source: str) -> types.ModuleType:
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    module = types.ModuleType(f"pinchsim_strategy_{strategy.name}_{digest}")
    module.__file__ = str(strategy.path)
    sys.modules[module.__name__] = module  # machine code loaded from disk looks its module up by name
    try:
        exec(compile(source, str(strategy.path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        line = _line_in(strategy, error)
        raise UsageError(f"{strategy.path}, line {line}: {type(error).__name__}: {error}") from None
    return module


def _line_in(strategy: Strategy, error: BaseException) -> int:
    """Last line of the strategy's own file in the error's traceback."""
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(strategy.path):
            line = step.tb_lineno
        step = step.tb_next
    return line


def _compile_functions(module: types.ModuleType) -> dict[str, Any]:
    """Compile every function written in the file, in place, so that they find each other compiled."""
    functions = {}
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__code__.co_filename == module.__file__:
            functions[name] = inner(value)
            setattr(module, name, functions[name])
    return functions


def _imported(module: types.ModuleType, wanted: tuple[str, ...]) -> dict[str, Any]:
    """Decisions that the file imports ready-made, such as `from pinchsim.games.pinch.sense import take`."""
    found = {name: vars(module).get(name) for name in wanted}
    return {name: value for name, value in found.items() if callable(value) and value.__module__ != module.__name__}


def _check_signature(strategy: Strategy, name: str, function: types.FunctionType) -> None:
    parameters = list(inspect.signature(function).parameters)
    if len(parameters) != 1:
        raise UsageError(
            f"{strategy.path}, line {function.__code__.co_firstlineno}: '{name}' must take exactly one argument, "
            f"the view, and takes {len(parameters)}. Write 'def {name}(view):'."
        )
