"""The clouds' own APIs, called with the user's login; only commands about them use this package.

`google` and `azure` ask, `buckets` is what we make and expect of a bucket for state. The libraries to log in
are the extra `cloud`, and loaded when something is asked.
"""
