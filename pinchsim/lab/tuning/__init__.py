"""Tuning strategies that play by weights: two optimisers that know no game, a league, and the loop around them (`tune`)."""
