"""Tier 1: the last few turns, distilled into what the user said, with evidence."""
