"""Earlier versions of files, read from git.

`repository` finds the repository and reads it, `entry` is what git lists of a commit, and `process`
alone starts git.
"""
