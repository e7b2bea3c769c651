"""Commands as people give them: what they write, how they refuse, and how they are interrupted."""

from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner

from pinchsim import api
from pinchsim.cli.main import main


class Command:
    """A command by its first words; `width` is how many columns what it writes may take, None for as many as it likes."""

    def __init__(self, *words, width=80):
        self.words, self.width = words, width

    def run(self, *args):
        """Whatever happens must be told by a message and an exit code."""
        result = CliRunner().invoke(main, [str(arg) for arg in (*self.words, *args)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(f"a traceback: {result.exception!r}") from result.exception
        assert "Traceback" not in result.output
        return result

    def done(self, *args):
        """What a command that succeeds writes to stdout."""
        result = self.run(*args)
        assert result.exit_code == 0, result.output
        assert "\x1b" not in result.output, "no colours in a pipe"
        assert self.width is None or all(len(line) <= self.width for line in result.stdout.splitlines())
        return result.stdout

    def refused(self, *args, code=2):
        """The message of a command that is refused, in one line."""
        result = self.run(*args)
        assert result.exit_code == code, result.output
        assert "Error: " in result.stderr
        assert result.stdout == "", "errors go to stderr"
        return flat(result.stderr.split("Error: ", 1)[1])


def flat(text):
    """A text in one line."""
    return " ".join(text.split())


def entries(text):
    """The entries of a list by their names, each in one line; a line that begins with a blank goes on with the entry above."""
    found = []
    for line in text.splitlines():
        found += [found.pop() + line] if line.startswith(" ") else [line]
    return {line.split()[0]: flat(line) for line in found}


def write(name, text):
    """Write a file; returns its path."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def folder_of(output):
    """The folder that the last line names."""
    return Path(output.splitlines()[-1].split(": ", 1)[1])


@contextmanager
def heard_by(watcher, name, monkeypatch):
    """Meanwhile somebody else hears how the work of this name goes on (`pinchsim.api`), and may interrupt it."""
    real = getattr(api, name)
    with monkeypatch.context() as patch:
        patch.setattr(api, name, lambda *args, **fields: real(*args, **fields | {"watcher": watcher}))
        yield


def end_otherwise(name, change, monkeypatch):
    """From now on `change` is made to what comes of the work of this name (`pinchsim.api`)."""
    real = getattr(api, name)

    def changed(*args, **fields):
        found = real(*args, **fields)
        change(found)
        return found

    monkeypatch.setattr(api, name, changed)
