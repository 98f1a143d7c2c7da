"""Proof: what a cluster did in a real or simulated cloud, as evidence that others can check offline.

A trial makes a cluster, plans it again, compares it with its blueprint, changes it and destroys it (`trial`).
The result is an in-toto statement in a DSSE envelope (`envelope`), whose predicate is `types.Evidence`: it
names the checksums of the blueprint and of each stack as this version synthesizes them, so that `judge` can
compare them with a checkout. `redact` takes out what identifies a project. `bundle` packs what a maintainer
needs to find a fault. Evidence and bundles of others are input: read within limits, never executed.
"""
