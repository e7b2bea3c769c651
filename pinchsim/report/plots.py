"""A run's summary as figures (PNG and SVG), one for each question. Import this module late: it loads matplotlib."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pinchsim.measure.summary import Summary
from pinchsim.report.end_plot import end_pages
from pinchsim.report.length_plot import length_pages
from pinchsim.report.plot_pages import Book, Page, make_book
from pinchsim.report.plot_style import house_style, save
from pinchsim.report.position_plots import score_pages, win_share_pages

FIGURES: dict[str, Callable[[Book], Iterator[Page]]] = {
    "win_share_by_position": win_share_pages,
    "score_distribution": score_pages,
    "game_length": length_pages,
    "end_reasons": end_pages,
}


def write_plots(summary: Summary, folder: Path) -> list[Path]:
    """Draw a run's summary and write every figure as PNG and SVG.

    Parameters
    ----------
    summary
        Measures with intervals, see `pinchsim.measure.summary.Summary`.
    folder
        Where to write; made if it is missing. Files of the same name are replaced.

    Returns
    -------
    list of Path
        The files, PNG before SVG, in the order of `FIGURES`. A figure without data is left out; panels beyond one
        page go to "win_share_by_position-2" and so on.
    """
    if summary.estimates.is_empty():
        return []
    book, paths = make_book(summary), []
    with house_style():
        for stem, pages in FIGURES.items():
            for number, page in enumerate(pages(book), 1):
                paths += save(page.figure, Path(folder), stem if number == 1 else f"{stem}-{number}")
    return paths
