"""Tier 3: the policies that decide what is kept, for how long, and when to ask."""
