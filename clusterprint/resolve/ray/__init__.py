"""Decisions about `kind: ray`."""
