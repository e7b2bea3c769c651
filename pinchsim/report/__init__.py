"""The report floor: measures with their intervals, as terminal tables and plots. It knows no game."""
