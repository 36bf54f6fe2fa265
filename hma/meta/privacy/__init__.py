"""The privacy gate: what must never be stored is taken out before anything is written.

`gate` holds the policies; the other modules each find one kind of thing.
"""
