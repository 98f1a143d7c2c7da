"""The image of the Ray nodes: its build, and the lock file that remembers the result.

`resolve` decides what is built; `job` says it in Cloud Build's words, `submit` hands it over and waits,
`lock` keeps the digest, which the next synth uses.
"""
