"""Values derived from a blueprint: names, ranges, pools, capacity, run names, durations.

Rules compare it with what was written, resolve builds on it, reviews explain it: all by the same functions.
It knows blueprints and the catalog, and reads files only where a blueprint names them.
"""
