"""The language server. `server` speaks the protocol; the other modules return plain data.

They take text and positions in characters, counted from 0; `answers` translates to the words of the protocol.
Completion reads lines, not YAML, because incomplete input is not valid YAML.
"""
