"""Diagnostics for people and for machines: one file per format.

`text` for terminals, `json` for scripts, `sarif` for code scanning, `github` for workflow annotations.
"""
