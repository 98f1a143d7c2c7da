"""Images that are built for a cluster: their builds, and the lock files that remember the results.

`resolve` decides what is built; `job` says it in Cloud Build's words, `submit` hands it over and waits,
`lock` keeps the digest, which the next synth uses.
"""
