"""Limits of the size of a blueprint: far more than people write, far less than makes a run slow."""

MAX_BYTES = 1024 * 1024

# With every alias counted as what it repeats. A blueprint of 2,000 lines has about 6,000.
MAX_VALUES = 50_000

# Levels of maps and lists. Also what keeps every recursion over a document safe.
MAX_DEPTH = 50

# The whole numbers that JSON readers, Go and msgspec take without loss.
MIN_INT = -(2**63)
MAX_INT = 2**63 - 1
