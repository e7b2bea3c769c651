"""Saying what is wrong with a strategy in words that a beginner understands, with file and line.

Names and fields are checked in the text; the rest is what Numba says when it compiles one decision alone, reduced to its
cause. A decision that compiles is checked for an answer on every path.
"""

import ast
import builtins
import difflib
import re
from collections.abc import Collection
from types import ModuleType
from typing import Any, TypeGuard

from pinchsim.errors import UsageError
from pinchsim.strategy.library import Strategy

MAX_REASON = 160  # letters of Numba's message that are passed on


def check_names(strategy: Strategy, module: ModuleType, decisions: Collection[str], fields: Collection[str]) -> None:
    """Refuse names that nothing defines, and fields that the view does not have.

    Raises
    ------
    UsageError
        Names the line and what was probably meant.
    """
    tree = ast.parse(strategy.source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for function in (n for n in tree.body if isinstance(n, ast.FunctionDef)):
        meant = difflib.get_close_matches(function.name, decisions, n=1, cutoff=0.75)
        if function.name not in decisions and function.name not in used and meant:
            # A misspelt decision would never be asked; the default would play in its place.
            text = f"nothing calls '{function.name}', and it is no decision."
            raise _mistake(strategy, function.lineno, text, function.name, decisions)
        own = _names_made_in(function)
        view = function.args.args[0].arg if function.name in decisions and function.args.args else ""
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                known = own | set(vars(module)) | set(vars(builtins))
                if node.id not in known:
                    raise _mistake(strategy, node.lineno, f"'{node.id}' is not defined.", node.id, known)
            if _writes_into(node, view):
                raise _mistake(strategy, node.lineno, "a strategy must not write into the view.")
            if _reads_from(node, view) and node.attr not in fields:
                text = f"the view has no field '{node.attr}' (pinchsim strategies view lists them)."
                raise _mistake(strategy, node.lineno, text, node.attr, fields)


def _reads_from(node: ast.AST, view: str) -> TypeGuard[ast.Attribute]:
    """Whether the node is a field of the view."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == view


def _writes_into(node: ast.AST, view: str) -> TypeGuard[ast.expr]:
    """Whether the node is the target of an assignment to a field of the view, or to a place in one."""
    if not isinstance(node, ast.Attribute | ast.Subscript) or not isinstance(node.ctx, ast.Store):
        return False
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute | ast.Subscript):
        inner = inner.value
    return isinstance(inner, ast.Name) and inner.id == view


def attributes(strategy: Strategy) -> set[str]:
    """Every name that the file uses after a dot: what it can possibly read of a view."""
    return {node.attr for node in ast.walk(ast.parse(strategy.source)) if isinstance(node, ast.Attribute)}


def _names_made_in(function: ast.FunctionDef) -> set[str]:
    made = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return made | {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}


def _mistake(strategy: Strategy, line: int, text: str, wrong: str = "", known: Collection[str] = ()) -> UsageError:
    close = difflib.get_close_matches(wrong, known, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return UsageError(f"{strategy.path}, line {line}: {text}{hint}")


def compile_alone(strategy: Strategy, decision: str, function: Any, view_type: Any) -> None:
    """Compile one decision for the view and look at what it returns.

    Raises
    ------
    UsageError
        It cannot be compiled, or does not always return a whole number.
    """
    from numba.core import types

    line = function.py_func.__code__.co_firstlineno
    try:
        function.compile((view_type,))
    except KeyError as error:  # a field that the view lacks, read in a helper
        field = str(error.args[0])
        raise _mistake(strategy, _line_of(strategy, field), f"the view has no field '{field}'.") from None
    except Exception as error:  # Numba's errors have no common class
        raise UsageError(_cause(strategy, decision, line, str(error))) from None
    answer = function.nopython_signatures[0].return_type
    if isinstance(answer, types.Optional) or answer == types.none:
        raise _mistake(strategy, line, f"'{decision}' can end without an answer: every path needs a 'return'.")
    if not isinstance(answer, types.Integer | types.Boolean | types.IntegerLiteral):
        raise _mistake(strategy, line, f"'{decision}' must return a whole number, and returns {_plain_type(answer)}.")


def _line_of(strategy: Strategy, field: str) -> int:
    """First line of the file that uses this name after a dot."""
    nodes = (node for node in ast.walk(ast.parse(strategy.source)) if isinstance(node, ast.Attribute))
    return min((node.lineno for node in nodes if node.attr == field), default=1)


def _plain_type(answer: Any) -> str:
    name = str(answer)
    if name.startswith("float"):
        return "a number with a fraction"
    if "str" in name or "unicode" in name:
        return "a text"
    return f"something else ({name})" if len(name) < 40 else "something else"


def _cause(strategy: Strategy, decision: str, line: int, message: str) -> str:
    """The first line of Numba's message that says something, and the deepest line of the strategy that it names."""
    own = re.findall(rf'File "[^"]*{re.escape(strategy.path.name)}", line (\d+)', message)
    own += re.findall(rf"{re.escape(str(strategy.path))} \((\d+)\)", message)
    lines = [text.strip() for text in message.splitlines()]
    noise = ("Failed in nopython", "During:", "File ", "^", "<source", ">>>", "-", "There are")
    telling = [text for text in lines if text and not text.startswith(noise)]
    where = f"{strategy.path}, line {own[0] if own else line}"
    reason = telling[0] if telling else "unknown reason"
    reason = reason if len(reason) < MAX_REASON else reason[:MAX_REASON] + " ..."
    return (
        f"{where}: '{decision}' cannot be compiled: {reason} "
        "(strategies may use numbers, loops, if, and functions of their own file; no texts, lists of lists or classes)"
    )
