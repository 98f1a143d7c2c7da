"""The clouds' own APIs, asked as whoever is logged in; only commands about them come here.

`google` and `azure` ask, `buckets` is what we make and expect of a bucket for state. The libraries to log in
are the extra `cloud`, and loaded when something is asked.
"""
