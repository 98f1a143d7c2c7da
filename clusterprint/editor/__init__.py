"""What an editor shows of a blueprint while it is written. `server` speaks the protocol, else is data.

Lines and columns count from 0 and in characters here, as in lists of lines; `server` translates.
"""
