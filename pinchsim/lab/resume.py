"""Going on with a run by its folder alone: what it plays and where its strategies lay stands in its manifest."""

from contextlib import AbstractContextManager, chdir, nullcontext
from pathlib import Path
from typing import Any

from pinchsim.errors import UsageError
from pinchsim.lab.executor import Executor
from pinchsim.lab.experiment import Experiment, make_experiment, read_experiment
from pinchsim.lab.manifest import EXPERIMENT, FORMAT, load_manifest
from pinchsim.lab.run import Run, run_experiment
from pinchsim.lab.watcher import Watcher


def resume_run(
    folder: Path,
    executor: Executor,
    strategy_folders: tuple[Path, ...] = (),
    watcher: Watcher | None = None,
    check: bool = False,
) -> Run:
    """Go on with a run, or look whether a finished one is whole.

    Variants and strategies are looked for as from the folder in which the run was begun, which is the process's working folder
    meanwhile. `strategy_folders` take the place of those that the run was begun with; `check` looks at all bytes of the rows.

    Raises
    ------
    UsageError
        The folder holds no run, or what it was begun with is missing or has changed.
    RunError
        The run failed, or another process is at work in the folder.
    """
    manifest = load_manifest(folder, _instead(folder / EXPERIMENT))
    if manifest["format"] != FORMAT:
        raise UsageError(f"The run in '{folder}' was begun by another version of pinchsim, which alone can go on with it.")
    folders = tuple(path.resolve() for path in strategy_folders) or _strategy_folders(folder, manifest)
    place, run = Path(manifest["working_folder"]), folder.resolve()
    try:
        with _from(place):
            found = run_experiment(_experiment(run, manifest), run, executor, folders, watcher, check)
    except UsageError as mistake:
        raise UsageError(f"{mistake}{_hint(place)}") from None
    found.folder = folder
    return found


def _instead(experiment: Path) -> str:
    """What can be done if nothing but the experiment of a run is left."""
    return f"; the same is played anew by: pinchsim sweep {experiment} --out ANOTHER_FOLDER" if experiment.exists() else ""


def _strategy_folders(run: Path, manifest: dict[str, Any]) -> tuple[Path, ...]:
    """The folders that a run was begun with."""
    folders = tuple(map(Path, manifest["strategy_folders"]))
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(
                f"The folder of strategies '{folder}', with which the run in '{run}' was begun, is not there. Put it back, or "
                "say with --strategies where it is now."
            )
    return folders


def _experiment(run: Path, manifest: dict[str, Any]) -> Experiment:
    """What the run plays; a run that was killed at its very beginning has only the manifest."""
    path = run / EXPERIMENT
    return read_experiment(path, {}) if path.exists() else make_experiment(manifest["experiment"], str(path))


def _from(place: Path) -> AbstractContextManager[None]:
    return chdir(place) if place.is_dir() else nullcontext()


def _hint(place: Path) -> str:
    """What to add to a message if files of one's own cannot be found."""
    if place.is_dir():
        return ""
    return f" The run was begun in the folder '{place}', which is not there now; files of yours were looked for here instead."
